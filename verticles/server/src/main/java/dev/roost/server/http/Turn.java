package dev.roost.server.http;

import dev.roost.server.flow.Deferred;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/// The first handler of every request: counts it, lets the others run, and, where they returned
/// without an answer, takes a continuation slot for it. Confined to its event loop.
final class Turn implements Handler<RoutingContext> {

  private final Loop loop;

  Turn(Loop loop) {
    this.loop = loop;
  }

  @Override
  public void handle(RoutingContext request) {
    var metrics = loop.shared().metrics();
    var start = System.nanoTime();
    metrics.requestStarted();
    request.put(Deferred.METRICS, metrics);
    request.addEndHandler(
        _ ->
            metrics.requestEnded(
                request.request().method().name(),
                request.response().getStatusCode(),
                System.nanoTime() - start));
    request.next();
    loop.continuations().handlersReturned(request);
  }
}
