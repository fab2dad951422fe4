package dev.roost.server.websocket;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketBase;

/// One whole WebSocket message. Immutable as long as nobody writes to its buffer.
public sealed interface Message {

  /// Puts it on the socket, on the socket's event loop.
  Future<Void> writeTo(WebSocketBase socket);

  /// About how many bytes it is in memory.
  int size();

  /// @param text valid Unicode
  record Text(String text) implements Message {
    @Override
    public Future<Void> writeTo(WebSocketBase socket) {
      return socket.writeTextMessage(text);
    }

    @Override
    public int size() {
      return text.length();
    }
  }

  /// @param bytes any bytes
  record Binary(Buffer bytes) implements Message {
    @Override
    public Future<Void> writeTo(WebSocketBase socket) {
      return socket.writeBinaryMessage(bytes);
    }

    @Override
    public int size() {
      return bytes.length();
    }
  }
}
