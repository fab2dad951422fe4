package dev.roost.server.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/// Stands between Netty's frame decoder and Vert.x on an upgraded connection (RFC 6455). It checks
/// what the decoder lets pass, inflates, answers pings, and lets only data and close frames
/// through; the peer's close frame only when it may be answered. A peer that sends pings and reads
/// nothing costs one pong: while the connection takes no bytes, only the last ping is remembered,
/// as section 5.5.3 allows. Confined to its event loop.
public final class WebSocketFrames extends ChannelInboundHandlerAdapter {

  private static final String DECODER = "wsdecoder"; // Netty's handshaker calls it so
  private static final String VERTX = "handler"; // Vert.x calls its own so
  private static final String IDLE = "idle";

  private static final int NO_CODE = 1005;
  private static final int COMPRESSED = 0b100; // RSV1 (RFC 7692, 6)

  private final Peer peer;
  private final @Nullable Inflation inflation;
  private boolean inflating;
  private boolean ignoring;
  private boolean pongsUnflushed;
  private int untaken;
  private @Nullable ByteBuf unansweredPing;
  private @Nullable CloseWebSocketFrame unansweredClose;
  private @Nullable ChannelHandlerContext place;

  /// What is told of the peer, on the event loop.
  public interface Peer {

    /// Bytes have come, whatever they are.
    void heard();

    /// A ping has come, and was answered.
    void pinged(byte[] payload);

    /// The peer's close frame has come: the last frame that will. It is answered by
    /// [WebSocketFrames#answerClose], until which what we still have to say goes out (section
    /// 5.5.1).
    ///
    /// @param code 1005 where it has none
    void closes(int code, String reason);

    /// The peer has ended its side of the TCP connection.
    void inputEnded();

    /// The peer broke the protocol or a bound; to be closed with `code`.
    void breaks(int code, String reason);
  }

  /// Bounds of one connection.
  ///
  /// @param frameBytesMax largest frame, as it comes
  /// @param messageBytesMax largest message, inflated
  public record Bounds(int frameBytesMax, int messageBytesMax) {}

  private WebSocketFrames(Peer peer, @Nullable Inflation inflation) {
    this.peer = peer;
    this.inflation = inflation;
  }

  /// Takes its place in the pipeline of a connection that Netty has just upgraded. The connection's
  /// idle timeout, which knows of HTTP only, goes.
  ///
  /// @param deflate what was agreed with the client, if anything was
  public static WebSocketFrames on(
      Channel channel, Bounds bounds, @Nullable WebSocketDeflate deflate, Peer peer) {
    var pipeline = channel.pipeline();
    var inflation = deflate == null ? null : new Inflation(bounds.messageBytesMax());
    var frames = new WebSocketFrames(peer, inflation);
    Http1Guard.upgraded(channel, frames);
    pipeline.addBefore(VERTX, "roost-websocket-frames", frames);
    if (deflate != null) {
      pipeline.replace(DECODER, DECODER, decoderOfExtensions(bounds));
      pipeline.addBefore(VERTX, "roost-websocket-deflater", deflate.encoder());
    }
    if (pipeline.get(IDLE) != null) {
      pipeline.remove(IDLE);
    }
    return frames;
  }

  /// The peer's handler was given a data frame.
  public void taken() {
    untaken--;
  }

  /// Whether data frames wait in Vert.x until somebody reads them.
  public boolean holdsData() {
    return untaken > 0;
  }

  /// Whether the peer's close frame has come and has no answer yet.
  public boolean holdsClose() {
    return unansweredClose != null;
  }

  /// Lets Vert.x answer the peer's close frame, if one waits for it, and close the connection.
  public void answerClose() {
    var close = unansweredClose;
    if (close != null && place != null) {
      unansweredClose = null;
      place.fireChannelRead(close);
      place.fireChannelReadComplete(); // which writes the answer out
    }
  }

  /// Closes the connection behind what was written. Vert.x would say goodbye, and wait for an
  /// answer.
  public void close() {
    if (place != null) {
      var _ = place.close();
    }
  }

  /// The peer has ended its side of the TCP connection.
  void inputEnded() {
    peer.inputEnded();
  }

  /// Ignores what still comes, and closes the connection soon after the peer has gone quiet:
  /// closing it on unread bytes would take the close frame away from the peer.
  public void ignore(Channel channel) {
    if (!ignoring && channel.pipeline().get(DECODER) != null) {
      ignoring = true;
      channel.pipeline().addBefore(DECODER, "roost-lingering", new Lingering());
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    place = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (ignoring || unansweredClose != null || !(message instanceof WebSocketFrame frame)) {
      ReferenceCountUtil.release(message);
      return;
    }
    try {
      checkReserved(frame);
      switch (frame) {
        case PingWebSocketFrame ping -> answer(context, ping);
        case PongWebSocketFrame pong -> pong.release(); // heard, like all that comes
        case CloseWebSocketFrame close -> checkClose(close);
        default -> {
          var data = inflated(frame);
          untaken++;
          context.fireChannelRead(data);
        }
      }
    } catch (CorruptedWebSocketFrameException broken) {
      frame.release();
      peer.breaks(broken.closeStatus().code(), String.valueOf(broken.getMessage()));
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (pongsUnflushed) {
      pongsUnflushed = false;
      context.flush();
    }
    peer.heard();
    context.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (unansweredPing != null && context.channel().isWritable()) {
      var _ = context.writeAndFlush(new PongWebSocketFrame(unansweredPing));
      unansweredPing = null;
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    switch (failure) {
      case CorruptedWebSocketFrameException broken ->
          peer.breaks(broken.closeStatus().code(), String.valueOf(broken.getMessage()));
      case TooLongFrameException _ ->
          peer.breaks(WebSocketCloseStatus.MESSAGE_TOO_BIG.code(), "the frame is too big");
      default -> context.fireExceptionCaught(failure);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ReferenceCountUtil.release(unansweredPing);
    unansweredPing = null;
    ReferenceCountUtil.release(unansweredClose);
    unansweredClose = null;
    if (inflation != null) {
      inflation.close();
    }
  }

  private static WebSocket13FrameDecoder decoderOfExtensions(Bounds bounds) {
    return new WebSocket13FrameDecoder(
        WebSocketDecoderConfig.newBuilder()
            .allowExtensions(true)
            .maxFramePayloadLength(bounds.frameBytesMax())
            .closeOnProtocolViolation(false)
            .build());
  }

  /// RSV1 marks the first frame of a compressed message, where compression was agreed on.
  private void checkReserved(WebSocketFrame frame) {
    var first = WebSocketDeflate.isFirstOfMessage(frame);
    var allowed = inflation != null && first ? COMPRESSED : 0;
    if ((frame.rsv() & ~allowed) != 0) {
      throw protocolError("a reserved bit is set");
    }
    if (first) {
      inflating = frame.rsv() == COMPRESSED;
    }
  }

  private WebSocketFrame inflated(WebSocketFrame frame) {
    if (!inflating || inflation == null) {
      return frame;
    }
    var content = inflation.part(frame.content(), frame.isFinalFragment());
    var inflated = frame.replace(content);
    frame.release();
    return inflated;
  }

  private void answer(ChannelHandlerContext context, PingWebSocketFrame ping) {
    var payload = ByteBufUtil.getBytes(ping.content());
    if (context.channel().isWritable()) {
      var _ = context.write(new PongWebSocketFrame(ping.content()));
      pongsUnflushed = true;
    } else {
      ReferenceCountUtil.release(unansweredPing);
      unansweredPing = ping.content();
    }
    peer.pinged(payload); // when it was answered: the handler may close
  }

  /// The decoder has refused a body of one byte. What it takes for UTF-8 may end in a character.
  private void checkClose(CloseWebSocketFrame close) {
    if (!close.content().isReadable()) {
      unansweredClose = close;
      peer.closes(NO_CODE, "");
    } else if (maySend(close.statusCode())) {
      var words = reason(close.content());
      unansweredClose = close;
      peer.closes(close.statusCode(), words);
    } else {
      throw protocolError("close code %d may not be sent".formatted(close.statusCode()));
    }
  }

  private static String reason(ByteBuf body) {
    try {
      return UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(ByteBufUtil.getBytes(body), 2, body.readableBytes() - 2))
          .toString();
    } catch (CharacterCodingException _) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "a reason must be UTF-8");
    }
  }

  /// Whether a close frame may bear `code` (RFC 6455, 7.4, and the registry of IANA).
  public static boolean maySend(int code) {
    return (code >= 1000 && code <= 1003)
        || (code >= 1007 && code <= 1014)
        || (code >= 3000 && code <= 4999);
  }

  private static CorruptedWebSocketFrameException protocolError(String words) {
    return new CorruptedWebSocketFrameException(WebSocketCloseStatus.PROTOCOL_ERROR, words);
  }
}
