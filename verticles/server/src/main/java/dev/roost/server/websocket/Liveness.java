package dev.roost.server.websocket;

import dev.roost.server.settings.WebSocketSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;

/// Finds dead and idle peers: pings in between, closes with 1001 where no message came for
/// `ws.idle-timeout`, and drops the connection where a ping was not answered before the next one.
/// Confined to the socket's event loop.
final class Liveness {

  private final Vertx vertx;
  private final ServerWebSocket socket;
  private final WebSocketSettings settings;
  private final Session session;
  private long timer;
  private long lastMessage = System.nanoTime();
  private boolean pongMissing;

  Liveness(Vertx vertx, ServerWebSocket socket, WebSocketSettings settings, Session session) {
    this.vertx = vertx;
    this.socket = socket;
    this.settings = settings;
    this.session = session;
  }

  void start() {
    timer = vertx.setPeriodic(settings.ping().toMillis(), _ -> check());
    socket.pongHandler(_ -> pongMissing = false);
  }

  void messageCame() {
    lastMessage = System.nanoTime();
  }

  void stop() {
    vertx.cancelTimer(timer);
  }

  private void check() {
    if (!session.reading()) {
      pongMissing = false; // what the peer sent is still in the kernel: it is we who are slow
      return;
    }
    if (System.nanoTime() - lastMessage > settings.idleTimeout().toNanos()) {
      socket.close((short) CloseReason.GOING_AWAY, "idle");
    } else if (pongMissing) {
      socket.close((short) CloseReason.GOING_AWAY, "no answer to a ping");
    } else {
      pongMissing = true;
      socket.writePing(Buffer.buffer()); // its failure means that the client is gone
    }
  }
}
