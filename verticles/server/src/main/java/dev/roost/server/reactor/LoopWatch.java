package dev.roost.server.reactor;

import dev.roost.server.metrics.ServerMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// Notices event loops that do not turn, from a thread of its own: what holds one longer than
/// `reactor.blocked-after` is counted, and named in the log. Where the whole process did not run (a
/// machine that sleeps, a SIGSTOP, a long collection) this thread did not either, and nobody is
/// blamed; nor is a loop that only waits for a processor. Thread-safe.
public final class LoopWatch implements AutoCloseable {

  /// Time between two turns of a loop's clock, and between two looks at it.
  static final Duration TICK = Duration.ofMillis(50);

  /// Time between two lines in the log about the same culprit.
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Logger LOG = System.getLogger(LoopWatch.class.getName());

  private final Duration blockedAfter;
  private final ServerMetrics metrics;
  private final List<WatchedLoop> loops = new CopyOnWriteArrayList<>();
  private final Thread thread;

  /// Nanoseconds for which the process as a whole has not run, as the watch's thread counts them,
  /// and as the others see them.
  private long stalled;

  private volatile long stalledNanos;

  private long lastLook = System.nanoTime();

  /// When each culprit was last named. Touched by the watch's thread only.
  private final Map<String, Long> lines = new HashMap<>();

  /// @param blockedAfter how long a loop may stand still
  public LoopWatch(Duration blockedAfter, ServerMetrics metrics) {
    this.blockedAfter = blockedAfter;
    this.metrics = metrics;
    this.thread = Thread.ofPlatform().daemon().name("roost-loop-watch").start(this::watch);
  }

  /// Watches the loop of the calling thread, which calls [#turned] every [#TICK].
  public WatchedLoop add() {
    var loop = new WatchedLoop(Thread.currentThread());
    loops.add(loop);
    return loop;
  }

  /// How often a loop says that it turns.
  public Duration tick() {
    return TICK;
  }

  /// `loop` has turned: what it took longer than planned is its delay.
  public void turned(WatchedLoop loop) {
    var delay = loop.turned(System.nanoTime(), stalledNanos) - TICK.toNanos();
    metrics.eventLoopDelay(Math.max(0, delay));
  }

  /// Watches it no more.
  public void remove(WatchedLoop loop) {
    loops.remove(loop);
  }

  /// Ends the thread.
  @Override
  public void close() {
    thread.interrupt();
  }

  private void watch() {
    var reported = new HashMap<WatchedLoop, Long>();
    try {
      while (true) {
        Thread.sleep(TICK);
        look(System.nanoTime(), reported);
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private void look(long now, Map<WatchedLoop, Long> reported) {
    stalled += Math.max(0, now - lastLook - TICK.toNanos());
    stalledNanos = stalled;
    lastLook = now;
    for (var loop : loops) {
      var still = loop.stillNanos(now, stalledNanos) - TICK.toNanos();
      Long turn = loop.lastTurn();
      if (still > blockedAfter.toNanos()
          && !loop.isStarved(still)
          && !turn.equals(reported.put(loop, turn))) {
        blocked(loop, still, now);
      }
    }
    reported.keySet().retainAll(loops);
  }

  /// One line per culprit and [#QUIET]: they are routes, of which there are only so many.
  private void blocked(WatchedLoop loop, long nanos, long now) {
    metrics.eventLoopBlocked();
    var culprit = loop.culprit();
    var before = lines.get(culprit);
    if (before != null && now - before < QUIET.toNanos()) {
      return;
    }
    lines.put(culprit, now);
    LOG.log(
        Level.WARNING,
        "an event loop has been blocked for {0} ms by {1}{2}",
        Duration.ofNanos(nanos).toMillis(),
        culprit,
        loop.where().map(frame -> ", at " + frame).orElse(""));
  }
}
