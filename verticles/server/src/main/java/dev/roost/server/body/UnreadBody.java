package dev.roost.server.body;

import dev.roost.server.guard.Http2Streams;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Set;

/// A body that waits until somebody reads it, and what becomes of it when the answer came first: it
/// is thrown away for a while, so that a client still sending sees the answer; then HTTP/1 closes
/// the connection, and HTTP/2 resets the stream without an error (RFC 9113, 8.1). Confined to the
/// request's event loop.
public final class UnreadBody {

  /// Time after an early answer in which what still comes is thrown away, and again while it comes.
  private static final Duration LINGER = Duration.ofSeconds(2);

  /// How often again: whoever sends for longer does not look for the answer.
  private static final int AGAIN_MAX = 4;

  /// RFC 9113, section 7: the stream ends without an error.
  private static final int NO_ERROR = 0;

  /// Without a length, HTTP/2 tells by the end of the stream alone that there is no body.
  private static final Set<HttpMethod> USUALLY_NONE =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

  private final RoutingContext request;
  private final HttpServerRequest http;
  private final Context loop;
  private boolean moved;
  private int again;

  private UnreadBody(RoutingContext request) {
    this.request = request;
    this.http = request.request();
    this.loop = request.vertx().getOrCreateContext();
  }

  /// Whether a body may follow the head of `request`.
  public static boolean mayFollow(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null) {
      return !length.equals("0");
    }
    return request.version() == HttpVersion.HTTP_2
        ? !USUALLY_NONE.contains(request.method())
        : request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
  }

  /// Holds the body of `request` back, so that none of it is lost to a filter that answers later,
  /// and sees to what is left of it after the answer. Called before every handler.
  public static void hold(RoutingContext request) {
    if (mayFollow(request.request())) {
      var body = new UnreadBody(request);
      request.request().pause();
      if (request.request().headers().contains(HttpHeaders.EXPECT)) {
        request.addHeadersEndHandler(_ -> body.announceClose());
      }
      request.addEndHandler(
          answered -> {
            if (answered.succeeded()) {
              body.answered();
            }
          });
    }
  }

  /// A client that asked to be told to go on may send the body or not, and only the end of the
  /// connection makes sure (RFC 9110, 10.1.1).
  private void announceClose() {
    if (!http.isEnded() && http.version() == HttpVersion.HTTP_1_1) {
      http.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
  }

  /// A handler off the loop answers there.
  private void answered() {
    if (!http.isEnded()) {
      loop.runOnContext(_ -> discard());
    }
  }

  private void discard() {
    if (!http.isEnded()) {
      http.handler(_ -> moved = true).resume();
      linger();
    }
  }

  private void linger() {
    request.vertx().setTimer(LINGER.toMillis(), _ -> lingered());
  }

  private void lingered() {
    if (moved && !http.isEnded() && again < AGAIN_MAX) {
      moved = false;
      again++;
      linger();
    } else {
      end();
    }
  }

  private void end() {
    if (http.version() == HttpVersion.HTTP_2) {
      endStream();
    } else if (!http.isEnded() || closeAnnounced()) {
      http.connection().close(); // whoever takes nothing of the answer is cut elsewhere
    }
  }

  /// A reset drops what the client has not taken of the answer, so that comes first. A client that
  /// takes nothing is cut elsewhere.
  private void endStream() {
    var id = http.response().streamId();
    if (Http2Streams.isAnswered(http.connection(), id)) {
      http.response().reset(NO_ERROR);
    } else if (Http2Streams.isOpen(http.connection(), id)) {
      request.vertx().setTimer(LINGER.toMillis(), _ -> end());
    }
  }

  private boolean closeAnnounced() {
    return http.response().headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true);
  }
}
