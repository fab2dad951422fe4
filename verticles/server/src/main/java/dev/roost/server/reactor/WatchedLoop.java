package dev.roost.server.reactor;

import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What the watch knows of one event loop. Written on the loop, read by the watch.
public final class WatchedLoop {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Thread thread;
  private final AtomicReference<@Nullable RoutingContext> running = new AtomicReference<>();

  /// When the loop last turned, and how long the whole process had stood still by then; null until
  /// it has turned once.
  private volatile @Nullable Turn last;

  /// @param nanos of the clock
  /// @param stalledNanos the process as a whole had not run for so long
  /// @param cpuNanos the thread had run for so long
  private record Turn(long nanos, long stalledNanos, long cpuNanos) {}

  WatchedLoop(Thread thread) {
    this.thread = thread;
  }

  /// The handlers of `request` begin.
  public void running(RoutingContext request) {
    running.lazySet(request);
  }

  /// They have returned.
  public void idle() {
    running.lazySet(null);
  }

  /// The loop has turned.
  ///
  /// @return nanoseconds since it did so before; 0 the first time
  long turned(long nanos, long stalledNanos) {
    var before = last;
    last = new Turn(nanos, stalledNanos, cpuNanos());
    return before == null ? 0 : nanos - before.nanos();
  }

  /// How long the loop has not turned though the process ran.
  long stillNanos(long nanos, long stalledNanos) {
    var turn = last;
    return turn == null ? 0 : nanos - turn.nanos() - (stalledNanos - turn.stalledNanos());
  }

  /// Tells one standstill from the next.
  long lastTurn() {
    var turn = last;
    return turn == null ? 0 : turn.nanos();
  }

  /// Whether the loop only waits for a processor: it is in no handler, could run, and hardly did.
  boolean isStarved(long stillNanos) {
    var turn = last;
    return running.get() == null
        && thread.getState() == Thread.State.RUNNABLE
        && (turn == null || cpuNanos() - turn.cpuNanos() < stillNanos / 2);
  }

  /// The request whose handlers hold the loop.
  String culprit() {
    var request = running.get();
    return request == null
        ? "something that is no request"
        : "%s %s".formatted(request.request().method(), route(request));
  }

  /// The route's own path: what a client sent in its place is not for the log.
  private static String route(RoutingContext request) {
    return Optional.ofNullable(request.currentRoute()).map(Route::getPath).orElse("(no route)");
  }

  /// Where in the application's code the loop is.
  Optional<StackTraceElement> where() {
    for (var frame : thread.getStackTrace()) {
      var name = frame.getClassName();
      if (!name.startsWith("java.")
          && !name.startsWith("jdk.")
          && !name.startsWith("sun.")
          && !name.startsWith("io.netty.")
          && !name.startsWith("io.vertx.")) {
        return Optional.of(frame);
      }
    }
    return Optional.empty();
  }

  private long cpuNanos() {
    return THREADS.getThreadCpuTime(thread.threadId());
  }
}
