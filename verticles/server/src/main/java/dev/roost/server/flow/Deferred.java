package dev.roost.server.flow;

import dev.roost.server.metrics.ServerMetrics;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// An answer that is given later, once, from any thread. Exactly one of respond, fail, time out and
/// abort wins; it takes effect on the request's event loop, and everything after it is a no-op that
/// is counted. A client that leaves aborts it.
public final class Deferred {

  /// Under which name the context of every instance has the server's metrics.
  public static final String METRICS = "dev.roost.metrics";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final RoutingContext request;
  private final Context loop;
  private final AtomicBoolean completed = new AtomicBoolean();
  private final ServerMetrics metrics;
  private final long timer;
  private final AtomicReference<Runnable> aborted = new AtomicReference<>(() -> {});
  private volatile boolean gone;

  private Deferred(RoutingContext request, Duration timeout) {
    this.request = request;
    this.loop = ((HttpServerRequestInternal) request.request()).context();
    this.metrics = Objects.requireNonNull(loop.get(METRICS), METRICS);
    this.timer = request.vertx().setTimer(timeout.toMillis(), _ -> timeOut());
    request.addEndHandler(_ -> clientGone());
    if (request.response().closed()) { // it left before this was called
      clientGone();
    }
  }

  /// Defers the answer for at most 30 s. Called on the request's event loop.
  public static Deferred of(RoutingContext request) {
    return of(request, TIMEOUT);
  }

  /// Defers the answer; past `timeout` it is 504. Called on the request's event loop.
  ///
  /// @param timeout 1 ms or more
  public static Deferred of(RoutingContext request, Duration timeout) {
    return new Deferred(request, timeout);
  }

  /// Answers 200 with a text.
  ///
  /// @return whether this call won
  public boolean respond(String text) {
    Objects.requireNonNull(text, "text");
    return complete(
        () -> {
          request.response().putHeader("content-type", "text/plain; charset=utf-8");
          request.end(text); // its failure means that the client is gone
        });
  }

  /// Answers with any status and body.
  ///
  /// @return whether this call won
  public boolean respond(int status, String contentType, Buffer body) {
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
    return complete(
        () -> {
          request.response().setStatusCode(status).putHeader("content-type", contentType);
          request.end(body); // its failure means that the client is gone
        });
  }

  /// Answers as if the handler had thrown `failure`.
  ///
  /// @return whether this call won
  public boolean fail(Throwable failure) {
    return complete(() -> request.fail(failure));
  }

  /// Closes without an answer.
  ///
  /// @return whether this call won
  public boolean abort() {
    return complete(() -> request.response().reset());
  }

  /// Called once, when the client left before the answer; at once if it has left already.
  public Deferred aborted(Runnable handler) {
    aborted.set(handler);
    tellGone();
    return this;
  }

  private void timeOut() {
    if (completed.compareAndSet(false, true)) {
      request.fail(504);
    }
  }

  private void clientGone() {
    request.vertx().cancelTimer(timer);
    if (completed.compareAndSet(false, true)) {
      gone = true;
      tellGone();
    }
  }

  private void tellGone() {
    if (gone) {
      aborted.getAndSet(() -> {}).run();
    }
  }

  private boolean complete(Runnable answer) {
    if (!completed.compareAndSet(false, true)) {
      metrics.deferredLate();
      return false;
    }
    loop.runOnContext(_ -> answer(answer));
    return true;
  }

  /// What cannot be answered with must not leave the client without an answer.
  private void answer(Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException failure) {
      request.fail(failure);
    }
  }
}
