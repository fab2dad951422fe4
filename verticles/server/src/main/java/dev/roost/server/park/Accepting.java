package dev.roost.server.park;

import dev.roost.server.metrics.ParkMetrics;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/// Counts the connections that a port lets in, new or woken, and leaves the new ones in the
/// kernel's queue while the heap has no room for them. Confined to the loop that accepts.
final class Accepting extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = System.getLogger(Accepting.class.getName());

  private static final long PAUSE_MILLIS = 5;

  /// So many are accepted in one turn, whatever the room (Netty's messages per read).
  static final int TURN = 16;

  /// Time between two lines in the log.
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Parking parking;
  private final ParkMetrics metrics;
  private boolean paused;
  private long toldNanos = System.nanoTime() - QUIET_NANOS;

  Accepting(Parking parking, ParkMetrics metrics) {
    this.parking = parking;
    this.metrics = metrics;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var channel = (Channel) message;
    parking.room().entered();
    var _ = channel.closeFuture().addListener(_ -> parking.room().left());
    context.fireChannelRead(message);
    if (!paused && parking.room().left(TURN) <= 0) {
      pause(context);
    }
  }

  private void pause(ChannelHandlerContext context) {
    paused = true;
    metrics.acceptsDelayed();
    context.channel().config().setAutoRead(false);
    tell("new connections wait: the heap has no room for more awake ones at once");
    again(context, System.nanoTime());
  }

  private void again(ChannelHandlerContext context, long sinceNanos) {
    parking.relieve(sinceNanos);
    var _ =
        context
            .executor()
            .schedule(() -> resume(context, sinceNanos), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void resume(ChannelHandlerContext context, long sinceNanos) {
    if (context.isRemoved() || !context.channel().isOpen()) {
      return;
    }
    var full = parking.isFull(sinceNanos);
    if (!full && parking.room().left(TURN) <= 0) {
      again(context, sinceNanos);
      return;
    }
    if (full) {
      tell("new connections are refused: those that stay awake fill the heap");
    }
    paused = false;
    context.channel().config().setAutoRead(true);
  }

  private void tell(String what) {
    if (System.nanoTime() - toldNanos >= QUIET_NANOS) {
      toldNanos = System.nanoTime();
      LOG.log(Level.WARNING, what);
    }
  }
}
