package dev.roost.server.http;

import dev.roost.server.body.UnreadBody;
import dev.roost.server.flow.Continuations;
import dev.roost.server.flow.Draining;
import dev.roost.server.metrics.RequestMeter;
import dev.roost.server.reactor.WatchedLoop;
import dev.roost.server.websocket.WebSockets;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/// The first handler of every request: counts it, lets the others run, and, where they returned
/// without an answer, takes a continuation slot for it. A request that is answered in its turn
/// costs no more than two looks at the clock. Confined to its event loop.
final class Turn implements Handler<RoutingContext> {

  /// The status label of a request that was shed, or whose client left before its answer.
  private static final int NO_ANSWER = 0;

  private final Continuations continuations;
  private final Draining draining;
  private final RequestMeter requests;
  private final WatchedLoop watched;
  private final AnswerLengths lengths = new AnswerLengths();

  /// Of the request whose turn it is.
  private long start;

  /// Whether it has left the loop, and is no longer the loop's to touch.
  private boolean left;

  Turn(Continuations continuations, Draining draining, RequestMeter requests, WatchedLoop watched) {
    this.continuations = continuations;
    this.draining = draining;
    this.requests = requests;
    this.watched = watched;
  }

  @Override
  public void handle(RoutingContext request) {
    requests.started();
    start = System.nanoTime();
    left = false;
    UnreadBody.hold(request);
    WebSockets.hold(request);
    watched.running(request);
    request.next();
    watched.idle();
    if (!left) {
      handlersReturned(request);
    }
  }

  /// Called before the handlers of a request go on elsewhere.
  ///
  /// @return false if there was no continuation slot for it: it was shed
  boolean leave(RoutingContext request) {
    left = true;
    return continuations.has(request) || wait(request);
  }

  private void handlersReturned(RoutingContext request) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      ended(request, start);
    } else if (response.headWritten()) {
      countAtEnd(request);
    } else {
      wait(request);
    }
  }

  private boolean wait(RoutingContext request) {
    countAtEnd(request);
    if (request.response().headWritten()) {
      return true; // its answer is being sent
    }
    if (!continuations.take(request)) {
      return false;
    }
    draining.watch(request);
    return true;
  }

  private void countAtEnd(RoutingContext request) {
    var began = start;
    request.addEndHandler(_ -> ended(request, began));
  }

  private void ended(RoutingContext request, long began) {
    var response = request.response();
    lengths.check(request);
    requests.ended(
        request.request().method().name(),
        response.headWritten() ? response.getStatusCode() : NO_ANSWER,
        System.nanoTime() - began);
  }
}
