package dev.roost.server.tls;

import dev.roost.server.metrics.ServerMetrics;
import io.netty.handler.ssl.ReusedSession;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/// Counts the handshakes that were completed.
public final class Handshakes {

  private Handshakes() {}

  /// @param connection new, on its event loop; one without TLS is not counted
  public static void count(HttpConnection connection, ServerMetrics metrics) {
    if (connection instanceof VertxConnection known) {
      var tls = known.channelHandlerContext().pipeline().get(SslHandler.class);
      if (tls != null) {
        var engine = tls.engine();
        metrics.tlsHandshake(engine.getSession().getProtocol(), ReusedSession.is(engine));
      }
    }
  }
}
