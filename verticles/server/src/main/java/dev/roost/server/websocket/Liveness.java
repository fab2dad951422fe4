package dev.roost.server.websocket;

import dev.roost.server.settings.WebSocketSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/// Finds dead and idle peers: pings in between, closes with 1001 where no message came for
/// `ws.idle-timeout`, and drops the connection where a ping was not answered before the next one.
/// Confined to the socket's event loop.
final class Liveness {

  private final OpenSocket open;
  private final WebSocketSettings settings;
  private final Session session;
  private long timer;
  private long lastMessage = System.nanoTime();
  private boolean pongMissing;

  Liveness(OpenSocket open, WebSocketSettings settings, Session session) {
    this.open = open;
    this.settings = settings;
    this.session = session;
  }

  void start() {
    timer = vertx().setPeriodic(settings.ping().toMillis(), _ -> check());
    open.socket().pongHandler(_ -> pongMissing = false);
  }

  void messageCame() {
    lastMessage = System.nanoTime();
  }

  void stop() {
    vertx().cancelTimer(timer);
  }

  private void check() {
    if (!session.reading()) {
      pongMissing = false; // what the peer sent is still in the kernel: it is we who are slow
      return;
    }
    if (System.nanoTime() - lastMessage > settings.idleTimeout().toNanos()) {
      open.close(CloseReason.GOING_AWAY, "idle");
    } else if (pongMissing) {
      open.close(CloseReason.GOING_AWAY, "no answer to a ping");
    } else {
      pongMissing = true;
      open.socket().writePing(Buffer.buffer()); // its failure means that the client is gone
    }
  }

  private Vertx vertx() {
    return open.request().vertx();
  }
}
