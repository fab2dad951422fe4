package dev.roost.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/// Bounds what the answers of one turn may hold before it is written: beyond `http.coalesce` they
/// go out at once. Stands between TLS and the codec. Confined to the connection's event loop.
final class CoalescedAnswers extends ChannelOutboundHandlerAdapter {

  private final long bytesMax;
  private long unflushed;

  /// @param bytesMax bytes of encoded answers
  CoalescedAnswers(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    var bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
    var _ = context.write(message, promise);
    unflushed += bytes;
    if (unflushed > bytesMax) {
      flush(context);
    }
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    unflushed = 0;
    context.flush();
  }
}
