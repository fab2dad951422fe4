package dev.roost.launcher.process;

import dev.roost.server.exposition.Exposition;
import dev.roost.server.health.ReloadRefusal;
import dev.roost.server.link.LinkServer;
import dev.roost.server.listen.SharedPort;
import dev.roost.server.metrics.ProcessFigures;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// All workers, in their slots. Confined to the supervisor's loop, but for what says otherwise.
final class Crew implements LinkServer.Door {
  private static final Logger LOG = System.getLogger(Crew.class.getName());

  /// A page of metrics waits no longer for a worker; what it last said counts then.
  private static final Duration SCRAPE_TIMEOUT = Duration.ofSeconds(2);

  private static final double NANOS_PER_SECOND = 1e9;

  private final EventLoop loop;
  private final Means means;
  private final Duration endTimeout;
  private final List<Slot> slots = new ArrayList<>();
  private final Map<Long, Worker> alive = new LinkedHashMap<>();
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Exposition retired = Exposition.of("");
  private final List<Integer> badEndings = new ArrayList<>();
  private CompletableFuture<String> reload = CompletableFuture.completedFuture("");
  private long restarts;
  private long dropped;
  private boolean leaving;
  private volatile int ready;

  /// What there is for the workers.
  ///
  /// @param port with a listening socket for each
  /// @param recipe by which they are started
  /// @param common what they share
  record Means(SharedPort port, Recipe recipe, Common common) {}

  /// @param endTimeout after which a worker that was told to end is killed
  Crew(EventLoop loop, Means means, Duration endTimeout) {
    this.loop = loop;
    this.means = means;
    this.endTimeout = endTimeout;
  }

  /// Starts the first worker; the others when it is ready, and so has migrated what there is to
  /// migrate. Thread-safe.
  ///
  /// @return completes when all are ready; fails with [FailedWorker] if one has ended before
  CompletableFuture<Void> start(int workers) {
    loop.execute(
        () -> {
          for (var number = 0; number < workers; number++) {
            slots.add(new Slot(number, this));
          }
          slots.getFirst().start();
        });
    return started;
  }

  /// Workers that accept connections. Thread-safe.
  int ready() {
    return ready;
  }

  /// What all have counted together, and the supervisor itself. Thread-safe.
  CompletableFuture<String> metrics() {
    var page = new CompletableFuture<String>();
    loop.execute(
        () -> {
          var asked = alive.values().stream().map(Worker::scrape);
          var all = CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new));
          var _ = all.thenRun(() -> page.complete(page()));
          later(SCRAPE_TIMEOUT, () -> all.complete(null));
        });
    return page;
  }

  /// Replaces the workers one by one. Thread-safe.
  CompletableFuture<String> reload() {
    var done = new CompletableFuture<String>();
    loop.execute(
        () -> {
          if (!reload.isDone() || leaving || !hasStarted()) {
            done.completeExceptionally(
                new ReloadRefusal(leaving ? "stopping" : "a reload or the start is under way"));
          } else {
            reload = done;
            replaceAll(done);
          }
        });
    return done;
  }

  /// Ends all, side by side. Thread-safe.
  ///
  /// @param pause for which they go on as before
  /// @return completes when no worker is left; fails if one had to be killed or ended badly
  CompletableFuture<Void> leave(Duration pause) {
    later(pause, this::endAll);
    return ended;
  }

  @Override
  public Optional<LinkServer.Guest> guest(long pid) {
    return Optional.ofNullable(alive.get(pid));
  }

  /// Starts a process for a slot: a fork and an exec, a few milliseconds.
  Worker hire(Slot slot) throws IOException {
    var process = means.recipe().start(slot.number());
    var worker = new Worker(loop, process, means.port().descriptor(slot.number()), slot);
    alive.put(worker.pid(), worker);
    return worker;
  }

  /// A slot has a worker that accepts.
  void ready(Slot slot) {
    steer();
    if (!hasStarted() && slot.number() == 0) {
      slots.stream().skip(1).forEach(Slot::start);
    }
    if (slots.stream().allMatch(Slot::isReady)) {
      started.complete(null);
    }
  }

  /// Steers new connections to the slots where somebody accepts; if there is none, they wait.
  void steer() {
    var live = new BitSet();
    slots.stream().filter(Slot::isReady).forEach(slot -> live.set(slot.number()));
    ready = live.cardinality();
    if (live.isEmpty()) {
      live.set(0, slots.size());
    }
    try {
      means.port().steer(live);
    } catch (IOException failure) {
      LOG.log(Level.ERROR, "connections are not steered to {0}: {1}", live, failure.getMessage());
    }
  }

  /// A worker has ended; what it counted stays.
  void gone(Worker worker) {
    alive.remove(worker.pid());
    retired.addLasting(worker.counted());
    dropped += worker.dropped();
    if (leaving && worker.wasReady() && worker.exitCode() != 0) {
      badEndings.add(worker.exitCode());
    }
    endIfEmpty();
  }

  /// The first start has failed.
  void failed(Throwable why) {
    started.completeExceptionally(why);
  }

  boolean hasStarted() {
    return started.isDone() && !started.isCompletedExceptionally();
  }

  boolean isLeaving() {
    return leaving;
  }

  boolean has(Worker worker) {
    return alive.containsValue(worker);
  }

  /// A worker is started in the place of one that died.
  void restarts() {
    restarts++;
  }

  Common common() {
    return means.common();
  }

  Duration endTimeout() {
    return endTimeout;
  }

  void later(Duration wait, Runnable what) {
    var _ = timer(wait, what);
  }

  /// The same, to be cancelled.
  Future<?> timer(Duration wait, Runnable what) {
    return loop.schedule(what, wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void replaceAll(CompletableFuture<String> done) {
    long began = System.nanoTime();
    var all = CompletableFuture.<Void>completedFuture(null);
    for (var slot : slots) {
      all = all.thenCompose(_ -> slot.replace());
    }
    var _ =
        all.whenComplete(
            (_, failure) -> {
              if (failure == null) {
                var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
                done.complete("reloaded %d workers in %d s".formatted(slots.size(), seconds));
              } else {
                var cause = failure.getCause() == null ? failure : failure.getCause();
                LOG.log(Level.WARNING, "reload broken off: {0}", cause.getMessage());
                done.completeExceptionally(cause);
              }
            });
  }

  private void endAll() {
    leaving = true;
    slots.forEach(Slot::close);
    List.copyOf(alive.values()).forEach(Worker::stop);
    later(endTimeout, () -> alive.values().forEach(this::killAtEnd));
    endIfEmpty();
  }

  private void killAtEnd(Worker worker) {
    LOG.log(Level.WARNING, "process {0} is killed: it does not end", Long.toString(worker.pid()));
    worker.kill();
  }

  private void endIfEmpty() {
    if (!leaving || !alive.isEmpty()) {
      return;
    }
    if (badEndings.isEmpty()) {
      ended.complete(null);
    } else {
      ended.completeExceptionally(
          new IllegalStateException("a worker ended with " + Worker.ending(badEndings.getFirst())));
    }
  }

  private String page() {
    var pages =
        Stream.concat(Stream.of(retired, own()), alive.values().stream().map(Worker::counted));
    return Exposition.sum(pages.toList()).text();
  }

  /// What the supervisor counts: its workers, and what it costs itself.
  private Exposition own() {
    var cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    var lost = dropped + alive.values().stream().mapToLong(Worker::dropped).sum();
    return Exposition.of(
        """
        # HELP roost_workers_restarts_total Workers started in the place of one that died
        # TYPE roost_workers_restarts_total counter
        roost_workers_restarts_total %d
        # HELP roost_workers_messages_dropped_total Messages between workers and supervisor dropped
        # TYPE roost_workers_messages_dropped_total counter
        roost_workers_messages_dropped_total %d
        # HELP roost_workers_ready Workers that accept connections
        # TYPE roost_workers_ready gauge
        roost_workers_ready %d
        # HELP process_resident_memory_bytes Resident memory of this process
        # TYPE process_resident_memory_bytes gauge
        process_resident_memory_bytes %s
        # HELP process_cpu_seconds_total Processor time of this process
        # TYPE process_cpu_seconds_total counter
        process_cpu_seconds_total %s
        """
                .formatted(
                    restarts,
                    lost,
                    ready,
                    ProcessFigures.residentBytes(),
                    cpu.toNanos() / NANOS_PER_SECOND)
            + common().metrics());
  }
}
