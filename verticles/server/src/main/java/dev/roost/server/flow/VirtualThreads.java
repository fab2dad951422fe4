package dev.roost.server.flow;

import io.vertx.core.Context;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// `mode: classic`: the handlers of each request run on a virtual thread of its own and may block.
/// The requests of an HTTP/1.1 connection come one after the other, so it has one such thread at a
/// time; on HTTP/2 each stream has its own. Between requests there is none. Confined to an event
/// loop, but for what handlers call from their own threads.
public final class VirtualThreads implements Placement {

  private static final String THREAD = "dev.roost.thread";

  private final ContextInternal loop;
  private final Predicate<RoutingContext> leaving;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /// Called on the event loop.
  ///
  /// @param leaving called before a request leaves the loop unanswered; false if it was shed
  public VirtualThreads(Vertx vertx, Predicate<RoutingContext> leaving) {
    this.loop = (ContextInternal) vertx.getOrCreateContext();
    this.leaving = leaving;
  }

  @Override
  public void handle(RoutingContext request, Runnable handler) {
    Context thread = request.get(THREAD);
    if (thread == null) {
      if (!leaving.test(request)) {
        return;
      }
      thread = newThread();
      request.put(THREAD, thread);
    }
    if (thread.equals(Vertx.currentContext())) {
      handler.run();
    } else {
      thread.runOnContext(_ -> runCounted(request, handler));
    }
  }

  @Override
  public void serve(RoutingContext request, Runnable step) {
    if (loop.inThread()) {
      step.run();
    } else {
      loop.runOnContext(_ -> run(request, step));
    }
  }

  @Override
  public boolean isEventLoop() {
    return false;
  }

  /// Interrupts the handlers that still run: their time is over.
  @Override
  public void stop() {
    running.forEach(Thread::interrupt);
  }

  private void runCounted(RoutingContext request, Runnable handler) {
    running.add(Thread.currentThread());
    try {
      run(request, handler);
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  private Context newThread() {
    var thread = loop.toBuilder().withThreadingModel(ThreadingModel.VIRTUAL_THREAD).build();
    thread.put(Deferred.METRICS, loop.get(Deferred.METRICS));
    return thread;
  }

  private static void run(RoutingContext request, Runnable handler) {
    try {
      handler.run();
    } catch (Throwable failure) { // an Error, too, must not leave its client without an answer
      request.fail(failure);
    }
  }
}
