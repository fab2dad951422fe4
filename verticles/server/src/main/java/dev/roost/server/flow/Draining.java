package dev.roost.server.flow;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/// Whether a loop's last requests are being answered. Confined to its event loop, but that handlers
/// elsewhere end their answers.
public final class Draining {

  private volatile boolean begun;

  /// From now on.
  public void begin() {
    begun = true;
  }

  /// Sees to it that an answer that is still to come tells its client to ask elsewhere, if it comes
  /// while the server stops. On HTTP/2 the connection's GOAWAY says so.
  public void watch(RoutingContext request) {
    if (!request.response().headWritten() && request.request().version() != HttpVersion.HTTP_2) {
      request.addHeadersEndHandler(_ -> sayClose(request));
    }
  }

  private void sayClose(RoutingContext request) {
    if (begun) {
      request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
  }
}
