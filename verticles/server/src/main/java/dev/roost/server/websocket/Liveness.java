package dev.roost.server.websocket;

import dev.roost.server.settings.WebSocketSettings;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/// Finds dead and idle peers: pings in between, closes with 1001 where no message moved for
/// `ws.idle-timeout`, and drops the connection where nothing at all came between a ping and the
/// next one. Confined to the socket's event loop.
final class Liveness {

  private final OpenSocket open;
  private final WebSocketSettings settings;
  private final Session session;
  private long timer;
  private boolean pinged;

  Liveness(OpenSocket open, WebSocketSettings settings, Session session) {
    this.open = open;
    this.settings = settings;
    this.session = session;
  }

  void start() {
    var period = min(settings.ping(), settings.idleTimeout());
    timer = open.request().vertx().setPeriodic(period.toMillis(), _ -> check());
  }

  void stop() {
    open.request().vertx().cancelTimer(timer);
  }

  private void check() {
    var silent = !open.wasHeard();
    if (!session.reading()) { // what the peer sent is still in the kernel: it is we who are slow
      open.moved();
      pinged = false;
    } else if (open.stillness().compareTo(settings.idleTimeout()) >= 0) {
      open.close(CloseReason.GOING_AWAY, "idle");
      return;
    } else if (pinged && silent) {
      open.close(CloseReason.GOING_AWAY, "no answer to a ping");
      return;
    }
    ping();
  }

  /// One that has not left yet, behind what the peer does not take, needs no answer.
  private void ping() {
    pinged = false;
    open.socket().writePing(Buffer.buffer()).onSuccess(_ -> pinged = session.reading());
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
