package dev.roost.server.http;

import dev.roost.server.guard.Connections;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// Connections of one loop beyond what the process may hold: the first request is answered 503, and
/// the connection closes; without a request it closes soon. Confined to the event loop.
final class RefusedConnections {

  /// Time for the first request to come.
  private static final Duration LINGER = Duration.ofSeconds(2);

  /// Connections that may wait for their refusal at once; beyond it they close without one.
  private static final int WAITING_MAX = 64;

  private final Set<HttpConnection> waiting = new HashSet<>();

  void add(Vertx vertx, HttpConnection connection) {
    if (waiting.size() >= WAITING_MAX) {
      connection.close(); // its failure means that the client is gone
      return;
    }
    waiting.add(connection);
    var timer = vertx.setTimer(LINGER.toMillis(), _ -> connection.close());
    Connections.onClose(
        connection,
        () -> {
          waiting.remove(connection);
          vertx.cancelTimer(timer);
        });
  }

  /// @return whether the request came on a refused connection, and is answered
  boolean answered(HttpServerRequest request) {
    if (waiting.isEmpty() || !waiting.contains(request.connection())) {
      return false;
    }
    var response =
        request
            .response()
            .setStatusCode(503)
            .putHeader(HttpHeaders.RETRY_AFTER, "5")
            .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
    if (request.version() == HttpVersion.HTTP_1_1) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    response
        .end("503 Service Unavailable: too many connections\n")
        .onComplete(_ -> request.connection().close());
    return true;
  }
}
