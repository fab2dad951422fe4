package dev.roost.server.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.roost.server.guard.WebSocketFrames;

/// Why a WebSocket closed.
///
/// @param code close code of the peer's close frame (RFC 6455, 7.4); 1006 when none came, 1005 when
///   it had no code
/// @param reason the peer's words, empty if none
public record CloseReason(int code, String reason) {
  static final int NORMAL = 1000;
  static final int GOING_AWAY = 1001;
  static final int NO_CODE = 1005;
  static final int UNCLEAN = 1006;
  static final int NOT_UTF8 = 1007;
  static final int TOO_BIG = 1009;
  static final int INTERNAL_ERROR = 1011;
  static final int TRY_AGAIN_LATER = 1013;

  /// A control frame's 125 bytes less those of the code.
  private static final int REASON_BYTES_MAX = 123;

  static final CloseReason NONE_CAME = new CloseReason(UNCLEAN, "");

  /// What an application may close with.
  ///
  /// @throws IllegalArgumentException if a close frame may not say so
  static CloseReason toSend(int code, String reason) {
    if (!WebSocketFrames.maySend(code)) {
      throw new IllegalArgumentException(
          "close code: %d is not in 1000..1003, 1007..1014, 3000..4999".formatted(code));
    }
    var bytes = reason.getBytes(UTF_8).length;
    if (bytes > REASON_BYTES_MAX) {
      throw new IllegalArgumentException(
          "close reason: %d bytes are more than %d".formatted(bytes, REASON_BYTES_MAX));
    }
    return new CloseReason(code, reason);
  }
}
