package dev.roost.server.park;

import com.sun.management.OperatingSystemMXBean;
import dev.roost.server.metrics.ParkMetrics;
import dev.roost.server.metrics.ProcessFigures;
import io.vertx.core.Vertx;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;

/// Gives memory back when the process has been quiet (`memory.trim-after`): what a burst filled
/// would stay resident until something collects it, which on a quiet server is never. Once per
/// quiet time: a full collection, where the collector stops the world for it anyway and the heap is
/// small, and malloc_trim(3), where the C library has it.
///
/// Its methods are called on the event loop that made it.
public final class Trim {

  private static final Logger LOG = System.getLogger(Trim.class.getName());

  private static final Duration TICK = Duration.ofMillis(500);

  /// Time between two of them, however short the quiet between bursts.
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(10);

  /// Share of one core that a quiet process may use.
  private static final double QUIET = 0.05;

  /// A full collection of more than that may stop the world for longer than a reader forgives:
  /// measured 17 to 76 ms at 13 to 100 MiB (2026-11-30, 2 cores AMD EPYC).
  private static final long HEAP_MAX = 256L << 20;

  private final Vertx vertx;
  private final ParkMetrics metrics;
  private final int quietTicks;
  private final long timer;
  private final Optional<MethodHandle> mallocTrim = mallocTrim();
  private final boolean collects = isSerial();
  private long cpuNanos = cpuNanos();
  private int quiet;
  private boolean worked = true;
  private long trimmedNanos = System.nanoTime() - LEAST_PAUSE.toNanos();

  private Trim(Vertx vertx, Duration after, ParkMetrics metrics) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.quietTicks = Math.toIntExact(Math.max(1, after.dividedBy(TICK)));
    this.timer = vertx.setPeriodic(TICK.toMillis(), _ -> tick());
  }

  /// @param after quiet time, more than 0
  public static Trim after(Duration after, Vertx vertx, ParkMetrics metrics) {
    return new Trim(vertx, after, metrics);
  }

  /// Trims no more.
  public void close() {
    vertx.cancelTimer(timer);
  }

  private void tick() {
    var now = cpuNanos();
    var used = now - cpuNanos;
    cpuNanos = now;
    if (used > TICK.toNanos() * QUIET) {
      quiet = 0;
      worked = true;
    } else if (++quiet >= quietTicks && worked && isOver(LEAST_PAUSE)) {
      worked = false;
      trimmedNanos = System.nanoTime();
      var _ =
          vertx
              .executeBlocking(this::trim)
              .onSuccess(bytes -> LOG.log(Level.DEBUG, "{0} bytes given back", bytes))
              .onFailure(failure -> LOG.log(Level.WARNING, "memory.trim-after", failure))
              .onComplete(_ -> cpuNanos = cpuNanos());
    }
  }

  private boolean isOver(Duration pause) {
    return System.nanoTime() - trimmedNanos >= pause.toNanos();
  }

  private long trim() {
    var before = ProcessFigures.residentBytes();
    var runtime = Runtime.getRuntime();
    if (collects && runtime.totalMemory() <= HEAP_MAX) {
      System.gc();
    }
    mallocTrim.ifPresent(Trim::call);
    var given = before - ProcessFigures.residentBytes();
    metrics.trimmed(Math.max(0, (long) given));
    return (long) given;
  }

  private static void call(MethodHandle trim) {
    try {
      var _ = (int) trim.invokeExact(0L);
    } catch (Throwable failure) {
      throw new IllegalStateException("malloc_trim", failure);
    }
  }

  @SuppressWarnings("restricted") // every profile allows native access, for Netty
  private static Optional<MethodHandle> mallocTrim() {
    var linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("malloc_trim")
        .map(
            address ->
                linker.downcallHandle(
                    address, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG)));
  }

  /// The concurrent collectors give memory back by themselves.
  private static boolean isSerial() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .anyMatch(collector -> collector.getName().equals("MarkSweepCompact"));
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
