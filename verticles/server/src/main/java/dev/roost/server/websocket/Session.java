package dev.roost.server.websocket;

/// What the server tells an open WebSocket of its own kind, on its event loop.
interface Session {

  /// Whether messages of the peer are being read now, or its handler is too slow for them.
  boolean reading();

  /// A whole message has come.
  void received(Message message);

  /// The connection is gone; called once.
  void closed();
}
