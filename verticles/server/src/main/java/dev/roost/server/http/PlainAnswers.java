package dev.roost.server.http;

import dev.roost.server.body.BrokenForm;
import dev.roost.server.body.UnreadBody;
import dev.roost.server.flow.Cut;
import dev.roost.server.topic.TopicRefusal;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;

/// What a client is told of a failure where the application says nothing itself: the status and its
/// usual words. The log has the rest, but for what is the client's own doing.
final class PlainAnswers {

  private static final Logger LOG = System.getLogger(PlainAnswers.class.getName());

  /// Answers that may come before the request's body has.
  private static final Set<Integer> BEFORE_THE_BODY = Set.of(400, 413, 503);

  private PlainAnswers() {}

  /// Stands behind every failure handler of the application.
  static void to(Router router) {
    router.errorHandler(404, request -> answer(request, 404));
    router.errorHandler(400, request -> answer(request, 400));
    router.route().order(Integer.MAX_VALUE).failureHandler(PlainAnswers::failed);
  }

  /// A request that could not be read, before there is a route for it (RFC 9112, 3.2 and 6.3; RFC
  /// 6585, 5). Where the next one begins nobody knows.
  static void unreadable(HttpServerRequest request) {
    var status =
        switch (request.decoderResult().cause()) {
          case TooLongHttpLineException _ -> 414;
          case TooLongHttpHeaderException _ -> 431;
          default -> 400;
        };
    var reason = HttpResponseStatus.valueOf(status).reasonPhrase();
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .end("%d %s\n".formatted(status, reason)); // a failure means that the client is gone
  }

  private static void failed(RoutingContext request) {
    var failure = request.failure();
    if (failure instanceof HttpClosedException
        || failure instanceof StreamResetException
        || request.response().closed()) {
      LOG.log(Level.DEBUG, "a client left during its request", failure);
    } else if (failure instanceof HttpException http) {
      answer(request, http.getStatusCode());
    } else if (failure instanceof TopicRefusal refusal) {
      LOG.log(Level.DEBUG, "a topic refused", refusal); // it is counted
      answer(request, refusal.status());
    } else if (failure instanceof BrokenForm broken) {
      LOG.log(Level.DEBUG, "a client sent half a form", broken);
      answer(request, 400, ": " + broken.getMessage());
    } else if (failure instanceof DecoderException || isBrokenBody(request)) {
      answer(request, 400);
    } else if (request.statusCode() >= 400 && request.statusCode() != 500) {
      answer(request, request.statusCode());
    } else {
      bug(request);
    }
  }

  /// Netty tells a broken chunk by the exception of its number parser.
  private static boolean isBrokenBody(RoutingContext request) {
    return request.failure() instanceof IllegalArgumentException && !request.request().isEnded();
  }

  private static void bug(RoutingContext request) {
    LOG.log(
        Level.ERROR,
        () ->
            "a handler failed: %s %s"
                .formatted(request.request().method(), request.request().path()),
        request.failure());
    answer(request, 500);
  }

  private static void answer(RoutingContext request, int status) {
    answer(request, status, "");
  }

  private static void answer(RoutingContext request, int status, String more) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      Cut.half(request);
      return;
    }
    response.setStatusCode(status).putHeader("content-type", "text/plain; charset=utf-8");
    closeWhereBodyIsUnread(request, status);
    var reason = HttpResponseStatus.valueOf(status).reasonPhrase();
    // a failure here means that the client is gone
    request.end("%d %s%s\n".formatted(status, reason, more));
  }

  /// The next request could not be told from what is left of a refused body, so the client learns
  /// that the connection ends here.
  private static void closeWhereBodyIsUnread(RoutingContext request, int status) {
    var http = request.request();
    if (BEFORE_THE_BODY.contains(status)
        && !http.isEnded()
        && UnreadBody.mayFollow(http)
        && http.version() != HttpVersion.HTTP_2) {
      request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
  }
}
