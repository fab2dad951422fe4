package dev.roost.server.park;

import dev.roost.server.park.lean.KeptLean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.KeptSsl;
import io.netty.handler.ssl.KeptTls;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Optional;
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

  /// Of a channel that Vert.x has set up.
  private static final AttributeKey<Boolean> SET_UP = AttributeKey.valueOf("dev.roost.set-up");

  private final boolean tls;
  private final int recordBytesMax;
  private KeptTls kept;
  private @Nullable ByteBuf read;

  /// @param kept its TLS state
  /// @param read bytes that were read from it; may be empty
  private Woken(KeptTls kept, ByteBuf read) {
    this.tls = !kept.equals(KeptSsl.NONE);
    this.recordBytesMax = (1 << 14) + (kept instanceof KeptLean ? 256 : 2_048); // TLS 1.3, 1.2
    this.kept = kept;
    this.read = read.isReadable() ? read : null;
  }

  /// Prepares `channel`, which is not registered.
  static void prepare(Channel channel, KeptTls kept, ByteBuf read) {
    channel.pipeline().addFirst(new Woken(kept, read));
  }

  /// Vert.x knows of `channel` from now on, and will tell when it closes.
  static void setUp(Channel channel) {
    channel.attr(SET_UP).set(Boolean.TRUE);
  }

  /// Runs `lost` if `channel` closes before Vert.x knows of it, and nobody else would tell.
  static void onLoss(Channel channel, Runnable lost) {
    var _ =
        channel
            .closeFuture()
            .addListener(
                _ -> {
                  if (!channel.hasAttr(SET_UP)) {
                    lost.run();
                  }
                });
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
    context.fireChannelActive();
    var before = read;
    if (before != null) {
      read = null;
      channelRead(context, before);
      context.fireChannelReadComplete();
    }
  }

  /// Vert.x sets the connection up amid its first record, so that one goes alone: whatever follows
  /// it is for the handlers that are there then.
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = read == null ? (ByteBuf) message : Unpooled.wrappedBuffer(read, (ByteBuf) message);
    read = null;
    var first = tls ? firstRecord(bytes) : bytes.readableBytes();
    if (first > bytes.readableBytes()) {
      read = bytes;
      return;
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

  /// Its length, header included; more than there is if that is not known, and all there is if it
  /// is no record: the TLS handler has an answer to that.
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
    if (!kept.equals(KeptSsl.NONE)) {
      kept.free();
      kept = KeptSsl.NONE;
    }
    ReferenceCountUtil.release(read);
    read = null;
  }
}
