package dev.roost.polyglot.javascript;

import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// How one request ends, once: answered, failed, passed on, timed out, or left by its client. It is
/// what `Deferred` is to a route, for filters too. Confined to the request's event loop.
final class Reply {

  private static final Logger LOG = System.getLogger(Reply.class.getName());

  /// Longest wait for a promise, as long as a deferred answer's; then 504.
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private enum State {
    OPEN,
    GIVEN,
    GONE
  }

  private final RoutingContext request;
  private final Duration timeout;
  private State state = State.OPEN;
  private boolean waits;
  private long timer;

  Reply(RoutingContext request) {
    this(request, TIMEOUT);
  }

  Reply(RoutingContext request, Duration timeout) {
    this.request = request;
    this.timeout = timeout;
  }

  /// Of a request that something else answers.
  static Reply given(RoutingContext request) {
    var reply = new Reply(request);
    reply.state = State.GIVEN;
    return reply;
  }

  /// From here on the answer is awaited, unless it is there. The body waits meanwhile: it may not
  /// have been read yet.
  void handlerReturned() {
    if (state != State.OPEN) {
      return;
    }
    waits = true;
    if (!request.request().isEnded()) {
      request.request().pause();
    }
    timer = request.vertx().setTimer(timeout.toMillis(), _ -> timeOut());
    request.addEndHandler(_ -> settle(State.GONE));
  }

  /// Answers. Where the client has left, or was told 504, nothing happens.
  ///
  /// @throws IllegalStateException if it was answered before
  void give(Answer answer) {
    if (state == State.GIVEN) {
      throw new IllegalStateException("this request is answered already");
    }
    if (settle(State.GIVEN)) {
      answer.sendTo(request);
    }
  }

  /// Lets the request pass to what comes next.
  void pass() {
    if (settle(State.GIVEN)) {
      request.next();
    }
  }

  /// Answers with the failure's status; the log has the rest.
  void fail(ScriptFailure failure) {
    if (settle(State.GIVEN)) {
      request.fail(failure.status(), failure);
    } else {
      LOG.log(Level.ERROR, "too late to answer: " + failure.line(), failure);
    }
  }

  private void timeOut() {
    if (settle(State.GONE)) {
      request.fail(504);
    }
  }

  /// @return whether it was open until now
  private boolean settle(State end) {
    if (state != State.OPEN) {
      return false;
    }
    state = end;
    if (waits) {
      request.vertx().cancelTimer(timer);
      request.request().resume();
    }
    return true;
  }
}
