package dev.roost.server.park.lean;

import dev.roost.server.lean.Aead;
import dev.roost.server.lean.Alert;
import dev.roost.server.lean.LeanConnection;
import dev.roost.server.lean.Records;
import dev.roost.server.lean.TlsRefusal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.CoalescingBufferQueue;
import io.netty.handler.codec.UnsupportedMessageTypeException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// TLS of a connection that was parked without BoringSSL's state, by our own record layer. It is an
/// [SslHandler] so that Vert.x finds one, and does nothing that one does. Confined to the event
/// loop.
public final class LeanTls extends SslHandler {

  private static final Logger LOG = System.getLogger(LeanTls.class.getName());

  private final LeanConnection connection;
  private final Alpn alpn;

  /// What was written and not flushed.
  private @Nullable CoalescingBufferQueue unsealed;

  private @Nullable ChannelHandlerContext context;

  /// Whether the rest of the pipeline knows that there is a connection.
  private boolean announced;

  /// Whether any data was handed on since the last read.
  private boolean handedOn;

  private boolean inputOver;
  private boolean outputOver;

  /// Whether the last record is on its way, and the channel closes behind it.
  private boolean closing;

  /// @param kept is this object's from now on
  public LeanTls(KeptLean kept) {
    super(LeanEngine.of(kept.state().suite()));
    this.connection = new LeanConnection(kept.state());
    this.alpn = kept.alpn();
  }

  /// Whether nothing is owed to the client or has come of it in part.
  public boolean isIdle() {
    return !inputOver
        && !outputOver
        && connection.isBetweenMessages()
        && (unsealed == null || unsealed.isEmpty());
  }

  /// What the connection goes on with when it is parked; this object is of no use afterwards.
  public KeptLean kept() {
    outputOver = true;
    return new KeptLean(connection.park(), alpn);
  }

  @Override
  public @Nullable String applicationProtocol() {
    return alpn.protocol();
  }

  @Override
  public Future<Channel> handshakeFuture() {
    var known = Objects.requireNonNull(context);
    return known.executor().newSucceededFuture(known.channel());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    unsealed = new CoalescingBufferQueue(ctx.channel(), 4, true);
  }

  @Override
  public void handlerRemoved0(ChannelHandlerContext ctx) {
    drop(ctx);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.fireChannelActive();
  }

  /// What came of a record in part has no meaning any more.
  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    inputOver = true;
    outputOver = true;
    drop(ctx);
    var part = internalBuffer();
    part.skipBytes(part.readableBytes());
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.fireExceptionCaught(cause);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (inputOver) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      open(ctx, in, out);
    } catch (TlsRefusal refusal) {
      announce(ctx);
      in.skipBytes(in.readableBytes());
      refuse(ctx, refusal);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    discardSomeReadBytes();
    if (!outputOver && connection.owesKeyUpdate()) {
      sealKeyUpdate(ctx);
      ctx.flush();
    }
    if (!handedOn && !ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
    handedOn = false;
    ctx.fireChannelReadComplete();
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    ctx.read();
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (outputOver || unsealed == null) {
      ReferenceCountUtil.release(message);
      promise.setFailure(new ClosedChannelException());
    } else if (message instanceof ByteBuf bytes) {
      unsealed.add(bytes, promise);
    } else {
      ReferenceCountUtil.release(message);
      promise.setFailure(new UnsupportedMessageTypeException(message, ByteBuf.class));
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    sealAll(ctx);
    ctx.flush();
  }

  @Override
  public void disconnect(ChannelHandlerContext ctx, ChannelPromise promise) {
    close(ctx, promise);
  }

  /// Says goodbye behind everything that was written.
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (closing) {
      var _ = ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
    } else if (outputOver || !ctx.channel().isActive()) {
      var _ = ctx.close(promise);
    } else {
      sealAll(ctx);
      close(ctx, promise, Alert.CLOSE_NOTIFY);
    }
  }

  private void close(ChannelHandlerContext ctx, ChannelPromise promise, Alert alert) {
    outputOver = true;
    closing = true;
    var aead = Aead.ofThread();
    var said = send(ctx, connection.sealAlert(aead, alert), ctx.newPromise());
    ctx.flush();
    var late =
        ctx.executor()
            .schedule(
                () -> {
                  var _ = ctx.close();
                },
                getCloseNotifyFlushTimeoutMillis(),
                TimeUnit.MILLISECONDS);
    var _ =
        said.addListener(
            _ -> {
              late.cancel(false);
              var _ = ctx.close(promise);
            });
  }

  /// Opens the first record of `in`, if it is whole.
  private void open(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws TlsRefusal {
    if (in.readableBytes() < Records.HEADER_BYTES) {
      return;
    }
    var at = in.readerIndex();
    var length = Records.bytes(in.getUnsignedByte(at), in.getUnsignedShort(at + 3));
    if (in.readableBytes() < length) {
      return;
    }
    announce(ctx);
    var aead = Aead.ofThread();
    in.readBytes(aead.record(), 0, length);
    var opened = connection.open(aead, length);
    switch (opened.said()) {
      case DATA -> {
        handedOn = true;
        out.add(ctx.alloc().buffer(opened.bytes()).writeBytes(aead.plain(), 0, opened.bytes()));
      }
      case NOTHING -> {}
      case GOODBYE -> {
        inputOver = true;
        ctx.fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS);
      }
      case ABORT -> {
        inputOver = true;
        outputOver = true;
        var _ = ctx.close();
      }
    }
  }

  /// Vert.x sets up the pipeline when a handshake is over; this one has long been.
  private void announce(ChannelHandlerContext ctx) {
    if (!announced) {
      announced = true;
      ctx.fireUserEventTriggered(SslHandshakeCompletionEvent.SUCCESS);
    }
  }

  private void refuse(ChannelHandlerContext ctx, TlsRefusal refusal) {
    inputOver = true;
    LOG.log(
        Level.DEBUG,
        "{0} is told {1}: {2}",
        ctx.channel().remoteAddress(),
        refusal.alert(),
        refusal.getMessage());
    if (!outputOver) {
      dropUnsealed(ctx);
      close(ctx, ctx.newPromise(), refusal.alert());
    }
  }

  private void sealAll(ChannelHandlerContext ctx) {
    var queue = unsealed;
    while (queue != null && !queue.isEmpty()) {
      if (outputOver) {
        dropUnsealed(ctx);
        return;
      }
      if (connection.owesKeyUpdate()) {
        sealKeyUpdate(ctx);
      }
      var promise = ctx.newPromise();
      var data = queue.remove(ctx.alloc(), Records.DATA_BYTES_MAX, promise);
      if (data.isReadable()) {
        var aead = Aead.ofThread();
        var bytes = data.readableBytes();
        data.readBytes(aead.plain(), 0, bytes).release();
        var _ = send(ctx, connection.sealData(aead, bytes), promise);
      } else {
        var _ = ctx.write(data, promise);
      }
    }
  }

  private void sealKeyUpdate(ChannelHandlerContext ctx) {
    var _ = send(ctx, connection.sealKeyUpdate(Aead.ofThread()), ctx.newPromise());
  }

  /// Sends what lies in the room for a record.
  private static ChannelFuture send(ChannelHandlerContext ctx, int bytes, ChannelPromise promise) {
    var record = ctx.alloc().directBuffer(bytes).writeBytes(Aead.ofThread().record(), 0, bytes);
    return ctx.write(record, promise);
  }

  private void drop(ChannelHandlerContext ctx) {
    dropUnsealed(ctx);
    connection.wipe();
  }

  private void dropUnsealed(ChannelHandlerContext ctx) {
    if (unsealed != null && !unsealed.isEmpty()) {
      unsealed.releaseAndFailAll(ctx, new ClosedChannelException());
    }
  }
}
