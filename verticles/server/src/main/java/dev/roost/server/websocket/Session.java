package dev.roost.server.websocket;

import io.vertx.core.buffer.Buffer;

/// What the server tells an open WebSocket of its own kind, on its event loop.
interface Session {

  /// The handshake is done; called first, and once.
  void opened();

  /// Whether messages of the peer are being read now, or its handler is too slow for them.
  boolean reading();

  /// A whole message has come.
  void received(Message message);

  /// The peer will send nothing more.
  ///
  /// @return whether every message that came was handled; if not, this calls [OpenSocket#settle]
  ///   when it is so
  boolean peerEnded();

  /// Writes what waits for the peer to be faster: nothing is written after this.
  void flush();

  /// A ping has come, and was answered.
  void pinged(Buffer payload);

  /// The connection is gone; called once, and last.
  void closed(CloseReason reason);
}
