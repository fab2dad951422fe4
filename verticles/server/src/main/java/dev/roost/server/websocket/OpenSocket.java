package dev.roost.server.websocket;

import dev.roost.server.flow.Cut;
import dev.roost.server.guard.WebSocketFrames;
import io.netty.buffer.Unpooled;
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
  private boolean inputEnded;
  private boolean gone;

  /// Whether the peer's close frame has come, and the peer has not taken all that goes before the
  /// answer to it.
  private boolean unsaid;

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
    if (frames.holdsClose()) {
      answerClose(); // which says all that is left to be said
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
    unsaid = true;
    if (firstCloseCode.isEmpty()) {
      firstCloseCode = OptionalInt.of(code);
      cutLater();
    }
    settle();
  }

  /// A peer that only ended its side gets its answers, as one does that said goodbye before.
  @Override
  public void inputEnded() {
    inputEnded = true;
    if (firstCloseCode.isEmpty()) {
      request().vertx().setTimer(HANDSHAKE_MAX.toMillis(), _ -> leave());
    }
    settle();
  }

  /// A data frame has reached the handler's side.
  void taken() {
    frames.taken();
  }

  /// Ends it, if the peer has and all that it sent before was handled: behind what handlers sent
  /// from other threads, which is on its way to this loop.
  void settle() {
    if (closing) {
      end();
    } else if ((frames.holdsClose() || inputEnded) && isHandled()) {
      request().vertx().runOnContext(_ -> end());
    }
  }

  private void end() {
    if (frames.holdsClose()) {
      answerClose();
    } else if (inputEnded) {
      leave();
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
    return unsaid ? CloseReason.NONE_CAME : told;
  }

  /// The code of the first close frame, ours or the peer's; 1006 if there was none, or if the peer
  /// was cut before it had taken its answers.
  int closeCode() {
    return unsaid ? CloseReason.UNCLEAN : firstCloseCode.orElse(CloseReason.UNCLEAN);
  }

  private boolean isHandled() {
    return !frames.holdsData() && session.map(Session::peerEnded).orElse(true);
  }

  private void answerClose() {
    session.ifPresent(Session::flush);
    unsaid = hasUnsent();
    if (unsaid) {
      var _ =
          channel()
              .writeAndFlush(Unpooled.EMPTY_BUFFER)
              .addListener(written -> unsaid = !written.isSuccess());
    }
    frames.answerClose();
  }

  private void leave() {
    if (!gone) {
      session.ifPresent(Session::flush);
      frames.close();
    }
  }

  /// A handler that says nothing for so long does not see its answers arrive: the peer's close
  /// frame is answered now. While the peer has bytes to take, `http.send-timeout` judges it.
  private void cutLater() {
    request().vertx().setTimer(HANDSHAKE_MAX.toMillis(), _ -> cutIfStill());
  }

  private void cutIfStill() {
    if (gone) {
      return;
    }
    if (!closing && (hasUnsent() || isAnswering())) {
      cutLater();
    } else if (closing || socket.isClosed()) {
      Cut.connection(request());
    } else {
      answerClose();
      cutLater();
    }
  }

  private boolean isAnswering() {
    return frames.holdsClose() && stillness().compareTo(HANDSHAKE_MAX) < 0;
  }

  private boolean hasUnsent() {
    var queue = channel().unsafe().outboundBuffer();
    return queue != null && !queue.isEmpty();
  }

  private Channel channel() {
    return ((VertxConnection) request().request().connection()).channelHandlerContext().channel();
  }
}
