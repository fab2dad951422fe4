package dev.roost.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Names the routes whose answers are not as long as their `Content-Length` says (RFC 9110, 8.6).
/// On HTTP/1.1 the connection ends behind such an answer. Thread-safe: a handler off the loop ends
/// its answer there.
final class AnswerLengths {

  /// Time between two lines in the log about the same route.
  private static final Duration QUIET = Duration.ofSeconds(10);

  /// Statuses whose answers have no body, whatever their head says (RFC 9110, 15).
  private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205, 304);

  private static final Logger LOG = System.getLogger(AnswerLengths.class.getName());

  /// When each route was last named; there are only so many.
  private final Map<String, Long> lines = new ConcurrentHashMap<>();

  /// Called when the answer was written, or its client is gone. On HTTP/2, Vert.x counts what has
  /// left only, and the client is told by the protocol (RFC 9113, 8.1.1).
  void check(RoutingContext request) {
    var response = request.response();
    var declared = response.headers().get(HttpHeaders.CONTENT_LENGTH);
    if (declared == null || request.request().version() == HttpVersion.HTTP_2) {
      return;
    }
    var written = response.bytesWritten();
    var length = length(declared);
    if ((written > length || (written < length && response.ended()))
        && response.headWritten()
        && mayHaveBody(request)) {
      name(request, declared, written);
    }
  }

  private static boolean mayHaveBody(RoutingContext request) {
    return !request.request().method().equals(HttpMethod.HEAD)
        && !request.response().isChunked()
        && !WITHOUT_BODY.contains(request.response().getStatusCode());
  }

  /// One that is no number is shorter than all answers.
  private static long length(String declared) {
    try {
      return Long.parseLong(declared);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  private void name(RoutingContext request, String declared, long written) {
    var route = Optional.ofNullable(request.currentRoute()).map(Route::getPath).orElse("(no path)");
    var culprit = "%s %s".formatted(request.request().method(), route);
    var now = System.nanoTime();
    var before = lines.get(culprit);
    if (before == null || now - before >= QUIET.toNanos()) {
      lines.put(culprit, now);
      LOG.log(
          Level.WARNING,
          "{0} wrote {1} bytes for a Content-Length of {2}: its connection ends",
          culprit,
          Long.toString(written),
          declared);
    }
  }
}
