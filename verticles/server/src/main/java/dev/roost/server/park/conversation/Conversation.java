package dev.roost.server.park.conversation;

import dev.roost.server.guard.Http1Guard;
import io.netty.handler.codec.http2.KeptHttp2;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;

/// What a protocol knows of one connection. Confined to its event loop.
public interface Conversation {

  /// Of a connection that has just been set up; empty if it cannot be parked.
  static Optional<Conversation> on(HttpConnection connection) {
    return connection.protocolVersion().equals(HttpVersion.HTTP_2)
        ? Http2Conversation.on(connection)
        : Http1Guard.of(connection).map(Http1Conversation::new);
  }

  /// Whether neither side owes anything, and nothing has come in part.
  boolean isIdle();

  /// Whether it has become one that is never parked.
  boolean isUpgraded();

  /// What both sides know of an idle one; empty where they need to know nothing.
  Optional<KeptHttp2> kept();
}
