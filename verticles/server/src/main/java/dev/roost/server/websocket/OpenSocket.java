package dev.roost.server.websocket;

import dev.roost.server.flow.Cut;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/// One upgraded connection. Confined to its event loop.
///
/// @param request what was upgraded
/// @param socket what it became
record OpenSocket(RoutingContext request, ServerWebSocket socket) {

  /// Time for the peer to take what was sent and to answer the close frame.
  private static final Duration HANDSHAKE_MAX = Duration.ofSeconds(5);

  /// Starts the close handshake; where it is not over in time, since the peer is gone or reads
  /// nothing, the connection is cut. Doing so twice is harmless.
  ///
  /// @param code close code (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  void close(int code, String reason) {
    if (socket.isClosed()) {
      return;
    }
    socket.close((short) code, reason); // its failure means that the client is gone
    request.vertx().setTimer(HANDSHAKE_MAX.toMillis(), _ -> cutUnlessClosed());
  }

  private void cutUnlessClosed() {
    if (!socket.isClosed()) {
      Cut.connection(request);
    }
  }
}
