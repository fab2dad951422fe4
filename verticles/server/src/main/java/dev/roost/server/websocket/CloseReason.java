package dev.roost.server.websocket;

import io.vertx.core.http.WebSocketBase;

/// Why a WebSocket closed.
///
/// @param code close code (RFC 6455, 7.4); 1006 when no close frame came, 1005 when it had no code
/// @param reason the peer's words, empty if none
public record CloseReason(int code, String reason) {
  static final int GOING_AWAY = 1001;
  static final int NOT_UTF8 = 1007;
  static final int TOO_BIG = 1009;
  static final int UNCLEAN = 1006;
  static final int INTERNAL_ERROR = 1011;
  static final int TRY_AGAIN_LATER = 1013;

  static CloseReason of(WebSocketBase socket) {
    var code = socket.closeStatusCode();
    var reason = socket.closeReason();
    return new CloseReason(code == null ? UNCLEAN : code, reason == null ? "" : reason);
  }
}
