package dev.roost.server.websocket;

import dev.roost.server.flow.Cut;
import dev.roost.server.guard.WebSocketFrames;
import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.impl.VertxConnection;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// One upgraded connection, whichever kind its handler is of. Confined to its event loop.
final class OpenSocket implements WebSocketFrames.Peer {

  /// Time for the peer to take what was sent and to answer the close frame.
  static final Duration HANDSHAKE_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = System.getLogger(OpenSocket.class.getName());

  private final Upgrade upgrade;
  private final ServerWebSocket socket;
  private final WebSocketFrames frames;
  private Optional<Session> session = Optional.empty();
  private OptionalInt firstCloseCode = OptionalInt.empty();
  private CloseReason told = CloseReason.NONE_CAME;
  private long lastMoved = System.nanoTime();
  private boolean heard;
  private boolean closing;
  private boolean broken;
  private boolean gone;

  /// @param bounds of what it receives
  OpenSocket(Upgrade upgrade, ServerWebSocket socket, WebSocketFrames.Bounds bounds) {
    this.upgrade = upgrade;
    this.socket = socket;
    this.frames = WebSocketFrames.on(channel(), bounds, upgrade.deflate(), this);
  }

  /// What was upgraded.
  RoutingContext request() {
    return upgrade.request();
  }

  /// What was agreed on.
  Optional<String> subprotocol() {
    return upgrade.subprotocol();
  }

  /// What it became.
  ServerWebSocket socket() {
    return socket;
  }

  void session(Session session) {
    this.session = Optional.of(session);
  }

  /// Writes one message; fails where a close frame is on its way already.
  Future<Void> write(Message message) {
    if (closing || socket.isClosed()) {
      return Future.failedFuture("the WebSocket is closed");
    }
    moved();
    return message.writeTo(socket);
  }

  /// Starts the close handshake; where it is not over in time, since the peer is gone or reads
  /// nothing, the connection is cut. Doing so twice is harmless.
  ///
  /// @param code close code (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  void close(int code, String reason) {
    if (closing || gone) {
      return;
    }
    closing = true;
    if (firstCloseCode.isEmpty()) {
      firstCloseCode = OptionalInt.of(code);
      cutLater();
    }
    socket.close((short) code, reason); // its failure means that the client is gone
  }

  @Override
  public void heard() {
    heard = true;
  }

  @Override
  public void pinged(byte[] payload) {
    session.ifPresent(kind -> kind.pinged(Buffer.buffer(payload)));
  }

  @Override
  public void closes(int code, String reason) {
    told = new CloseReason(code, reason);
    if (firstCloseCode.isEmpty()) {
      firstCloseCode = OptionalInt.of(code);
      cutLater();
    }
  }

  @Override
  public void breaks(int code, String reason) {
    if (broken || gone) {
      return;
    }
    broken = true;
    LOG.log(Level.DEBUG, () -> "a WebSocket is closed with %d: %s".formatted(code, reason));
    close(code, reason);
    frames.ignore(channel());
  }

  /// Whether its peer broke the protocol: nothing more of it is looked at.
  boolean isBroken() {
    return broken;
  }

  /// A message has come or goes.
  void moved() {
    lastMoved = System.nanoTime();
  }

  /// Time since the last message either way.
  Duration stillness() {
    return Duration.ofNanos(System.nanoTime() - lastMoved);
  }

  /// Whether anything came since this was asked last.
  boolean wasHeard() {
    var answer = heard;
    heard = false;
    return answer;
  }

  /// The connection is gone.
  ///
  /// @return what is told of it
  CloseReason gone() {
    gone = true;
    return told;
  }

  /// The code of the first close frame, ours or the peer's; 1006 if there was none.
  int closeCode() {
    return firstCloseCode.orElse(CloseReason.UNCLEAN);
  }

  /// The peer's close frame may still wait behind messages whose handler is slow.
  private void cutLater() {
    request()
        .vertx()
        .setTimer(
            HANDSHAKE_MAX.toMillis(),
            _ -> {
              if (!gone && (closing || socket.isClosed())) {
                Cut.connection(request());
              } else if (!gone) {
                cutLater();
              }
            });
  }

  private Channel channel() {
    return ((VertxConnection) request().request().connection()).channelHandlerContext().channel();
  }
}
