package dev.roost.server.flow;

import io.vertx.core.net.impl.VertxConnection;
import io.vertx.ext.web.RoutingContext;

/// Ends an exchange otherwise than with its answer. [#now] and [#connection] do so without waiting
/// for a client to take what was written: Vert.x's own `close` and `reset` flush first, and a
/// stalled reader would keep them waiting. Both are called on the request's event loop.
public final class Cut {

  /// RFC 9113, section 7: our fault, not the client's.
  private static final long INTERNAL_ERROR = 2;

  private Cut() {}

  /// Closes the connection; on HTTP/2 resets only the stream, so that the others on it live on.
  ///
  /// @param code the reason told on HTTP/2 (RFC 9113, section 7)
  public static void now(RoutingContext request, long code) {
    switch (request.request().version()) {
      case HTTP_1_0, HTTP_1_1 -> connection(request);
      case HTTP_2, HTTP_3 -> request.response().reset(code);
    }
  }

  /// Breaks off an answer that has begun and will not be completed, behind what was written: half
  /// of it is not passed off as the whole. Closes the connection, on HTTP/2 resets the stream. From
  /// any thread.
  public static void half(RoutingContext request) {
    request.response().reset(INTERNAL_ERROR); // its failure means that the client is gone
  }

  /// Closes the connection of `request`, which may be a WebSocket by now.
  public static void connection(RoutingContext request) {
    if (request.request().connection() instanceof VertxConnection connection) {
      // past every handler of the pipeline: those of Vert.x and of TLS would flush first
      var transport = connection.channelHandlerContext().channel().unsafe();
      transport.close(transport.voidPromise());
    } else {
      request.request().connection().close();
    }
  }
}
