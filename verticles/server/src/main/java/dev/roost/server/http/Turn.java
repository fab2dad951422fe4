package dev.roost.server.http;

import dev.roost.server.body.UnreadBody;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/// The first handler of every request: counts it, lets the others run, and, where they returned
/// without an answer, takes a continuation slot for it. Confined to its event loop.
final class Turn implements Handler<RoutingContext> {

  /// The status label of a request that was shed, or whose client left before its answer.
  private static final int NO_ANSWER = 0;

  private final Loop loop;

  Turn(Loop loop) {
    this.loop = loop;
  }

  @Override
  public void handle(RoutingContext request) {
    var requests = loop.requests();
    var start = System.nanoTime();
    requests.started();
    request.addEndHandler(
        _ ->
            requests.ended(
                request.request().method().name(),
                request.response().headWritten() ? request.response().getStatusCode() : NO_ANSWER,
                System.nanoTime() - start));
    UnreadBody.hold(request);
    loop.continuations().begin();
    loop.watched().running(request);
    request.next();
    loop.watched().idle();
    if (!loop.continuations().isTaken() && isUnanswered(request.response())) {
      loop.keep(request);
    }
  }

  private static boolean isUnanswered(HttpServerResponse response) {
    return !response.headWritten() && !response.ended() && !response.closed();
  }
}
