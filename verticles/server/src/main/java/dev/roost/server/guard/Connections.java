package dev.roost.server.guard;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/// What Vert.x does not tell of its connections.
public final class Connections {

  private Connections() {}

  /// Runs `closed` once, on the event loop, when the connection is gone, whatever it has become:
  /// Vert.x forgets its own close handler where a connection becomes a WebSocket.
  public static void onClose(HttpConnection connection, Runnable closed) {
    if (connection instanceof VertxConnection vertx) {
      var _ = vertx.channelHandlerContext().channel().closeFuture().addListener(_ -> closed.run());
    } else {
      connection.closeHandler(_ -> closed.run());
    }
  }

  /// Sends what was written on `connection`, which Vert.x itself does at the end of a turn.
  ///
  /// @return whether the client took so much of it that it can be sent more
  public static boolean flush(HttpConnection connection) {
    if (!(connection instanceof VertxConnection vertx)) {
      return true;
    }
    var channel = vertx.channelHandlerContext().channel();
    channel.flush();
    return channel.isWritable();
  }
}
