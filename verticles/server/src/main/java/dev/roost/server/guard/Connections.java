package dev.roost.server.guard;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.internal.net.SslHandshakeCompletionHandler;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.VertxConnection;
import org.jspecify.annotations.Nullable;

/// What Vert.x does not tell of its connections.
public final class Connections {

  private Connections() {}

  /// Of a channel whose connection goes on without it.
  private static final AttributeKey<Boolean> PARKED = AttributeKey.valueOf("dev.roost.parked");

  /// Of a channel whose connection was there before it; true until that is set up again.
  private static final AttributeKey<Boolean> WOKEN = AttributeKey.valueOf("dev.roost.woken");

  /// Runs `closed` once, on the event loop, when the connection is gone, whatever it has become:
  /// Vert.x forgets its own close handler where a connection becomes a WebSocket. It does not run
  /// when the connection is parked.
  public static void onClose(HttpConnection connection, Runnable closed) {
    var channel = channel(connection);
    if (channel != null) {
      var _ =
          channel
              .closeFuture()
              .addListener(
                  _ -> {
                    if (!channel.hasAttr(PARKED)) {
                      closed.run();
                    }
                  });
    } else {
      connection.closeHandler(_ -> closed.run());
    }
  }

  /// The channel is about to close, and the connection goes on.
  public static void parks(Channel channel) {
    channel.attr(PARKED).set(Boolean.TRUE);
  }

  /// The channel, not yet registered, is for a connection that was parked.
  ///
  /// @param serverName what the client asked for by SNI, if it did
  /// @param lost runs if it closes before Vert.x has made a connection of it
  public static void wakes(Channel channel, @Nullable String serverName, Runnable lost) {
    channel.attr(WOKEN).set(Boolean.TRUE);
    var _ =
        channel
            .closeFuture()
            .addListener(
                _ -> {
                  if (Boolean.TRUE.equals(channel.attr(WOKEN).get())) {
                    lost.run();
                  }
                });
    if (serverName != null) {
      channel.attr(SslHandshakeCompletionHandler.SERVER_NAME_ATTR).set(serverName);
    }
  }

  /// Whether it is no new connection, but one that was parked. Called once, when it is set up.
  public static boolean hasWoken(HttpConnection connection) {
    var channel = channel(connection);
    return channel != null && channel.hasAttr(WOKEN) && channel.attr(WOKEN).getAndSet(false);
  }

  /// What a client asked for by SNI, if it did.
  public static @Nullable String serverName(Channel channel) {
    return channel.hasAttr(SslHandshakeCompletionHandler.SERVER_NAME_ATTR)
        ? channel.attr(SslHandshakeCompletionHandler.SERVER_NAME_ATTR).get()
        : null;
  }

  /// The channel below it; null where it is one stream of QUIC.
  public static @Nullable Channel channel(HttpConnection connection) {
    return connection instanceof ConnectionBase base ? base.channel() : null;
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
