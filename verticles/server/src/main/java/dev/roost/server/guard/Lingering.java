package dev.roost.server.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/// Throws away what a peer still sends after its connection was given up, until it closes or has
/// gone quiet; then closes. Confined to its event loop.
final class Lingering extends ChannelInboundHandlerAdapter {

  /// Long against the pauses of a peer that is sending, short for one that waits for the close.
  private static final long QUIET_MILLIS = 250;

  /// Looks until the connection is closed, whatever still comes: 5 seconds.
  private static final int LOOKS_MAX = 20;

  private boolean heard;
  private int looks;

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    context.channel().config().setAutoRead(true); // or the peer's close would not be seen
    lookLater(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    heard = true;
    ReferenceCountUtil.release(bytes);
  }

  private void lookLater(ChannelHandlerContext context) {
    var _ = context.executor().schedule(() -> look(context), QUIET_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look(ChannelHandlerContext context) {
    looks++;
    var unsent = context.channel().unsafe().outboundBuffer();
    var done = !heard && (unsent == null || unsent.isEmpty());
    if (done || looks >= LOOKS_MAX) {
      var _ = context.close();
    } else {
      heard = false;
      lookLater(context);
    }
  }
}
