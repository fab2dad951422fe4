package dev.roost.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;

/// Hands answers to TLS as the client takes them. Small ones of one turn wait for its end and go
/// out in one write, up to `http.coalesce`; a big one goes in portions while the channel is
/// writable, since TLS would copy all of it into direct memory at once, and keep the loop
/// meanwhile. Stands between TLS and the codec. Confined to the connection's event loop.
final class PacedAnswers extends ChannelDuplexHandler {

  /// Two TLS records.
  private static final int PORTION_BYTES = 32 << 10;

  private final long bytesMax;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long unflushed;
  private boolean draining;

  /// What TLS has not been given.
  private record Waiting(Object message, ChannelPromise promise) {}

  /// @param bytesMax bytes of encoded answers
  PacedAnswers(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Whether the socket has been given everything.
  boolean isEmpty() {
    return waiting.isEmpty() && unflushed == 0;
  }

  /// Gives TLS all there is, at any pace: it takes nothing after the client's goodbye.
  void giveAll(ChannelHandlerContext context) {
    while (!waiting.isEmpty()) {
      writePortion(context);
    }
    context.flush();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    var bytes = bytes(message);
    if (waiting.isEmpty() && bytes <= PORTION_BYTES) {
      var _ = context.write(message, promise);
    } else {
      waiting.add(new Waiting(message, promise));
    }
    unflushed += bytes;
    if (unflushed > bytesMax) {
      flush(context);
    }
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    unflushed = 0;
    context.flush();
    drain(context);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    drain(context);
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    drop();
    var _ = context.close(promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    context.fireChannelInactive();
  }

  private void drain(ChannelHandlerContext context) {
    if (draining) {
      return;
    }
    draining = true;
    try {
      while (!waiting.isEmpty() && context.channel().isWritable()) {
        writePortion(context);
        context.flush();
      }
    } finally {
      draining = false;
    }
  }

  private void writePortion(ChannelHandlerContext context) {
    var next = waiting.element();
    if (next.message() instanceof ByteBuf buffer && buffer.readableBytes() > PORTION_BYTES) {
      var _ = context.write(buffer.readRetainedSlice(PORTION_BYTES), context.voidPromise());
    } else {
      waiting.remove();
      var _ = context.write(next.message(), next.promise());
    }
  }

  private void drop() {
    for (var next = waiting.poll(); next != null; next = waiting.poll()) {
      ReferenceCountUtil.release(next.message());
      next.promise().tryFailure(new ClosedChannelException());
    }
  }

  private static int bytes(Object message) {
    return message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
  }
}
