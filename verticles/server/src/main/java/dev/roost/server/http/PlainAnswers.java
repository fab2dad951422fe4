package dev.roost.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// What a client is told of a failure where the application says nothing itself: the status and its
/// usual words. The log has the rest.
final class PlainAnswers {

  private static final Logger LOG = System.getLogger(PlainAnswers.class.getName());

  private static final int[] STATUSES = {400, 404, 405, 406, 413, 415, 503, 504};

  private PlainAnswers() {}

  static void to(Router router) {
    for (var status : STATUSES) {
      router.errorHandler(status, request -> answer(request, status));
    }
    router.errorHandler(500, PlainAnswers::bug);
  }

  private static void bug(RoutingContext request) {
    LOG.log(
        Level.ERROR,
        () ->
            "a handler failed: %s %s"
                .formatted(request.request().method(), request.normalizedPath()),
        request.failure());
    answer(request, 500);
  }

  private static void answer(RoutingContext request, int status) {
    var response = request.response();
    if (response.headWritten()) {
      response.reset(); // half an answer is not passed off as a whole one
      return;
    }
    response.setStatusCode(status).putHeader("content-type", "text/plain; charset=utf-8");
    // a failure here means that the client is gone
    request.end("%d %s\n".formatted(status, HttpResponseStatus.valueOf(status).reasonPhrase()));
  }
}
