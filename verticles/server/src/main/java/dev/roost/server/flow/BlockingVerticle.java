package dev.roost.server.flow;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.roost.server.metrics.ServerMetrics;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/// Runs what may block, off the event loops: each handler on a virtual thread of its own (a Vert.x
/// virtual-thread context is serial, so two sockets never share one). Deployed once per process.
/// [#run] is called from any event loop.
public final class BlockingVerticle extends VerticleBase {

  private static final Logger LOG = System.getLogger(BlockingVerticle.class.getName());

  /// What a handler may take to clean up once it is interrupted.
  private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(5);

  private final Semaphore free;
  private final int handlersMax;
  private final ServerMetrics metrics;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /// @param handlersMax handlers that may run at once
  public BlockingVerticle(int handlersMax, ServerMetrics metrics) {
    this.handlersMax = handlersMax;
    this.free = new Semaphore(handlersMax);
    this.metrics = metrics;
  }

  /// Starts `task` on a virtual thread of its own.
  ///
  /// @return false if `blocking.handlers` run already, or the server is stopping: nothing was
  ///   started
  public boolean run(Runnable task) {
    if (stopped || !free.tryAcquire()) {
      return false;
    }
    metrics.blockingHandlerStarted();
    Thread.ofVirtual().name("roost-blocking").start(() -> runCounted(task));
    return true;
  }

  /// Interrupts what still runs and waits until it is gone: 5 s, then it is left to itself.
  @Override
  public Future<?> stop() {
    stopped = true;
    running.forEach(Thread::interrupt);
    return vertx.executeBlocking(
        () -> {
          var ended = free.tryAcquire(handlersMax, INTERRUPTED_MAX.toMillis(), MILLISECONDS);
          if (!ended) {
            LOG.log(
                Level.WARNING,
                "{0} blocking handlers did not end though they were interrupted, and are left",
                running.size());
          }
          return ended;
        });
  }

  private void runCounted(Runnable task) {
    running.add(Thread.currentThread());
    try {
      if (stopped) {
        Thread.currentThread().interrupt();
      }
      task.run();
    } finally {
      running.remove(Thread.currentThread());
      metrics.blockingHandlerEnded();
      free.release();
    }
  }
}
