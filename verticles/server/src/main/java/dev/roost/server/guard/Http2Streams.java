package dev.roost.server.guard;

import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Optional;

/// What Vert.x does not tell of HTTP/2 streams. Called on the connection's event loop.
public final class Http2Streams {

  private Http2Streams() {}

  /// Keeps a stream whose client takes nothing from holding back the others of its connection.
  /// Called on the event loop when the connection has just been set up.
  public static void watch(HttpConnection connection) {
    handler(connection).ifPresent(StreamWindows::guard);
  }

  /// Whether the whole answer has left on a stream whose request has not ended.
  public static boolean isAnswered(HttpConnection connection, long id) {
    return state(connection, id).filter(Http2Stream.State.HALF_CLOSED_LOCAL::equals).isPresent();
  }

  /// Whether either side may still send on the stream.
  public static boolean isOpen(HttpConnection connection, long id) {
    return state(connection, id).isPresent();
  }

  private static Optional<Http2Stream.State> state(HttpConnection connection, long id) {
    return handler(connection)
        .map(http2 -> http2.connection().stream((int) id))
        .map(Http2Stream::state);
  }

  private static Optional<Http2ConnectionHandler> handler(HttpConnection connection) {
    return connection instanceof ConnectionBase base
        ? Optional.ofNullable(base.channel().pipeline().get(Http2ConnectionHandler.class))
        : Optional.empty();
  }
}
