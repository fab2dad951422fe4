package dev.roost.server.park;

import dev.roost.server.park.ParkedTable.Kept;
import dev.roost.server.park.conversation.ResumedHttp2;
import dev.roost.server.park.lean.KeptLean;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.KeptHttp2;
import io.netty.handler.ssl.KeptSsl;
import io.netty.handler.ssl.KeptTls;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// First handler of a connection that is woken, until Vert.x has set it up: hands over the TLS
/// state it was parked with, then what its peer sent meanwhile. Confined to the connection's event
/// loop.
final class Woken extends ChannelInboundHandlerAdapter {

  /// Of the connection that is being set up on this thread.
  private static final FastThreadLocal<KeptTls> KEPT = new FastThreadLocal<>();

  /// Type, version, length (RFC 8446, 5.1).
  private static final int HEADER_BYTES = 5;

  /// change_cipher_spec, alert, handshake, application_data (RFC 8446, 5.1).
  private static final int RECORD_TYPE_MIN = 20;

  private static final int RECORD_TYPE_MAX = 23;

  private final boolean tls;
  private final int recordBytesMax;
  private final @Nullable KeptHttp2 http2;
  private KeptTls kept;
  private final Duration patience;
  private @Nullable ByteBuf read;
  private @Nullable Future<?> late;

  /// @param kept what it was parked with
  /// @param read bytes that were read from it; may be empty
  /// @param patience time for its first record to come whole
  private Woken(Kept kept, ByteBuf read, Duration patience) {
    this.patience = patience;
    this.tls = !kept.tls().equals(KeptSsl.NONE);
    this.recordBytesMax =
        (1 << 14) + (kept.tls() instanceof KeptLean ? 256 : 2_048); // TLS 1.3, 1.2
    this.http2 = kept.http2();
    this.kept = kept.tls();
    this.read = read.isReadable() ? read : null;
  }

  /// Prepares `channel`, which is not registered.
  ///
  /// @param patience time for its first record to come whole
  static void prepare(Channel channel, Kept kept, ByteBuf read, Duration patience) {
    channel.pipeline().addFirst(new Woken(kept, read, patience));
  }

  /// The TLS state for the connection that is being set up on this thread, if it was woken.
  static Optional<KeptTls> takeTls() {
    var kept = Optional.ofNullable(KEPT.getIfExists());
    kept.ifPresent(_ -> KEPT.remove());
    return kept;
  }

  /// The same if it is lean.
  static Optional<KeptLean> takeLean() {
    return KEPT.getIfExists() instanceof KeptLean lean
        ? takeTls().map(_ -> lean)
        : Optional.empty();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (tls) {
      KEPT.set(kept);
      kept = KeptSsl.NONE;
    }
  }

  @Override
  public void channelRegistered(ChannelHandlerContext context) {
    takeTls().ifPresent(KeptTls::free); // there was nobody to take it
    context.fireChannelRegistered();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    late =
        context
            .executor()
            .schedule(() -> isLate(context), patience.toMillis(), TimeUnit.MILLISECONDS);
    var handler = context.pipeline().get(SslHandler.class);
    if (handler != null) {
      handler.setHandshakeTimeoutMillis(0); // its handshake was done before it was parked
    }
    context.fireChannelActive();
    var before = read;
    if (before != null) {
      read = null;
      channelRead(context, before);
      context.fireChannelReadComplete();
    }
  }

  private static void isLate(ChannelHandlerContext context) {
    var _ = context.close();
  }

  /// Vert.x sets the connection up amid its first record, so that one goes alone: whatever follows
  /// it is for the handlers that are there then.
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    if (read != null) {
      bytes = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), read, bytes);
      read = null;
    }
    var first = tls ? firstRecord(bytes) : bytes.readableBytes();
    if (first > bytes.readableBytes()) {
      read = bytes;
      return;
    }
    if (http2 != null) {
      ResumedHttp2.prepare(context, http2);
    }
    context.fireChannelRead(bytes.readRetainedSlice(first));
    var pipeline = context.pipeline();
    if (!context.isRemoved()) {
      pipeline.remove(this);
    }
    if (bytes.isReadable()) {
      pipeline.fireChannelRead(bytes);
    } else {
      bytes.release();
    }
  }

  /// Its length, header included; more than there is if that is not known. What cannot be a record
  /// is for TLS to refuse, and not waited for.
  private int firstRecord(ByteBuf bytes) {
    if (bytes.readableBytes() < HEADER_BYTES) {
      return HEADER_BYTES;
    }
    var type = bytes.getUnsignedByte(bytes.readerIndex());
    var length = bytes.getUnsignedShort(bytes.readerIndex() + HEADER_BYTES - 2);
    return type < RECORD_TYPE_MIN || type > RECORD_TYPE_MAX || length > recordBytesMax
        ? bytes.readableBytes()
        : HEADER_BYTES + length;
  }

  /// It could not be registered, or was closed at once.
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (late != null) {
      late.cancel(false);
    }
    if (!kept.equals(KeptSsl.NONE)) {
      kept.free();
      kept = KeptSsl.NONE;
    }
    ReferenceCountUtil.release(read);
    read = null;
  }
}
