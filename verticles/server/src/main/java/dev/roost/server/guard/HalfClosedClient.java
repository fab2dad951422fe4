package dev.roost.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.RecordTls;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/// Keeps a TLS connection writable for a client that has ended its side but is owed an answer. The
/// TLS engine answers a client's close_notify with its own and takes no data after that, although
/// TLS 1.3 lets the other side go on (RFC 8446, 6.1): so a last record that looks like an alert is
/// held back until every answer is out. Should it be a few bytes of the next request instead, they
/// come to their turn no later than that request would have.
///
/// Stands before the TLS handler. Confined to the connection's event loop.
final class HalfClosedClient extends ChannelInboundHandlerAdapter {

  /// Type, version, length (RFC 8446, 5.1).
  private static final int HEADER_BYTES = 5;

  private static final int UNKNOWN = -1;

  private static final int ALERT = 21;
  private static final int APPLICATION_DATA = 23;

  /// Level, description, the hidden type, the tag of any AEAD suite of TLS 1.3, and some padding:
  /// the JDK adds 16 bytes of it.
  private static final int SEALED_ALERT_BYTES_MAX = 2 + 1 + 16 + 64;

  private final Owing owing;
  private @Nullable ByteBuf held;

  /// Bytes to come of the record that the last read ended in; [#UNKNOWN] until the first read that
  /// begins where that is known.
  private int recordBytesLeft = UNKNOWN;

  /// What the requests of the connection know.
  interface Owing {
    /// Whether a client that sends nothing more is owed an answer.
    boolean owesAnswer();

    /// What may be the client's goodbye is read next.
    void goodbyeComes();

    /// What may be the client's goodbye is held back.
    void goodbyeHeld();

    /// The client has closed its side of the TCP connection.
    void inputEnded();
  }

  HalfClosedClient(Owing owing) {
    this.owing = owing;
  }

  /// Whether no record is held back, or has come in part.
  boolean isBetweenRecords() {
    return held == null && recordBytesLeft <= 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf read)) {
      context.fireChannelRead(message);
      return;
    }
    if (recordBytesLeft == UNKNOWN) {
      recordBytesLeft = bytesLeft(context);
    }
    if (recordBytesLeft == UNKNOWN) {
      context.fireChannelRead(read);
      return;
    }
    var bytes = read;
    if (held != null) {
      bytes = Unpooled.wrappedBuffer(held, read);
      held = null;
    }
    var tail = tail(bytes);
    if (tail == bytes.writerIndex()) {
      context.fireChannelRead(bytes);
      return;
    }
    held = bytes.retainedSlice(tail, bytes.writerIndex() - tail);
    context.fireChannelRead(bytes.writerIndex(tail));
    if (held.readableBytes() < HEADER_BYTES) {
      return; // too little for anybody to say what it is
    }
    if (owing.owesAnswer()) {
      owing.goodbyeHeld();
    } else {
      owing.goodbyeComes();
      release(context);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      owing.inputEnded(); // the decoders need not know: what they have in part stays in part
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    context.fireChannelInactive();
  }

  /// The connection is a WebSocket now.
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    handOn(context);
  }

  /// Hands on what was held back, if it may be more than a part of a header.
  void release(ChannelHandlerContext context) {
    var bytes = held;
    if (bytes != null && bytes.readableBytes() >= HEADER_BYTES) {
      recordBytesLeft =
          HEADER_BYTES + bytes.getUnsignedShort(bytes.readerIndex() + 3) - bytes.readableBytes();
      handOn(context);
    }
  }

  private void handOn(ChannelHandlerContext context) {
    var bytes = held;
    if (bytes != null) {
      held = null;
      context.fireChannelRead(bytes);
      context.fireChannelReadComplete();
    }
  }

  private void drop() {
    if (held != null) {
      held.release();
      held = null;
    }
  }

  /// Follows the records through `bytes`.
  ///
  /// @return where a last record begins that may be an alert; the end of `bytes` if there is none
  private int tail(ByteBuf bytes) {
    var end = bytes.writerIndex();
    var at = bytes.readerIndex() + Math.min(recordBytesLeft, bytes.readableBytes());
    recordBytesLeft -= at - bytes.readerIndex();
    while (end - at >= HEADER_BYTES) {
      var next = at + HEADER_BYTES + bytes.getUnsignedShort(at + 3);
      if (next >= end && maybeAlert(bytes, at)) {
        return at;
      }
      recordBytesLeft = Math.max(0, next - end);
      at = Math.min(next, end);
    }
    return at;
  }

  private static boolean maybeAlert(ByteBuf bytes, int at) {
    var type = bytes.getByte(at);
    var length = bytes.getUnsignedShort(at + 3);
    return type == ALERT || (type == APPLICATION_DATA && length <= SEALED_ALERT_BYTES_MAX);
  }

  /// This handler comes when the connection is set up, amid a read.
  private static int bytesLeft(ChannelHandlerContext context) {
    var tls = context.pipeline().get(SslHandler.class);
    return tls == null ? UNKNOWN : RecordTls.bytesLeft(tls);
  }
}
