package dev.roost.server.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.OptionalInt;

/// One connection whose client should take what is written to it; the handler next to the socket.
/// Confined to its event loop.
class Watched extends ChannelOutboundHandlerAdapter {

  private final SendTimeouts timeouts;
  private final Channel channel;
  private boolean waiting;
  private long messages;
  private long messagesTaken;
  private long bytesOfNext;
  private long movedNanos;
  private OptionalInt kernelsMillis = OptionalInt.empty();

  Watched(SendTimeouts timeouts, Channel channel) {
    this.timeouts = timeouts;
    this.channel = channel;
  }

  @Override
  public final void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    messages++;
    var _ = context.write(message, promise);
  }

  @Override
  public final void flush(ChannelHandlerContext context) {
    context.flush();
    if (!waiting && mayWait()) {
      waiting = true;
      moved();
      notIdle();
      timeouts.add(this);
    }
  }

  /// Looks once more; cuts the connection if its client took nothing for too long.
  ///
  /// @return whether to look again
  final boolean stillWaits() {
    waiting = channel.isOpen() && watch();
    if (waiting) {
      notIdle();
    }
    if (waiting == kernelsMillis.isEmpty()) {
      hushKernel();
    }
    return waiting;
  }

  /// Whether the kernel is kept from giving the client up, until the next look.
  final boolean hushesKernel() {
    return kernelsMillis.isPresent();
  }

  /// Whether to look at this connection in a while.
  boolean mayWait() {
    return unsent();
  }

  /// Cuts what has been waiting for too long.
  ///
  /// @return whether anything waits still
  boolean watch() {
    if (!unsent()) {
      return false;
    }
    if (hasMoved()) {
      moved();
    } else if (timeouts.isOver(movedNanos) && timeouts.isOver(timeouts.sentNanos(channel))) {
      if (!timeouts.hasLeft(channel)) {
        timeouts.cut();
      }
      cut();
    }
    return true;
  }

  /// Closes the connection past TLS, which would flush first.
  final void cut() {
    channel.unsafe().close(channel.unsafe().voidPromise());
  }

  final Channel channel() {
    return channel;
  }

  /// The kernel, too, gives up a client that does not acknowledge for long (TCP_USER_TIMEOUT), but
  /// counts as such one that opens its window again and again, never for all there is: so not while
  /// we judge it ourselves.
  private void hushKernel() {
    if (waiting) {
      kernelsMillis = OptionalInt.of(SendTimeouts.kernelGivesUpAfter(channel, SendTimeouts.NEVER));
    } else {
      SendTimeouts.kernelGivesUpAfter(channel, kernelsMillis.orElseThrow());
      kernelsMillis = OptionalInt.empty();
    }
  }

  /// While something waits for the client, its connection does not count as idle: Netty knows of a
  /// write only when all of it has left, which a slow client makes longer than
  /// `http.keep-alive-timeout`.
  private void notIdle() {
    var idle = channel.pipeline().get(IdleStateHandler.class);
    if (idle != null) {
      idle.resetWriteTimeout();
    }
  }

  /// Whether bytes wait for the client to take some.
  private boolean unsent() {
    var queue = channel.unsafe().outboundBuffer();
    return queue != null && !queue.isEmpty();
  }

  private boolean hasMoved() {
    var queue = channel.unsafe().outboundBuffer();
    return queue != null
        && (messagesTaken != taken(queue) || bytesOfNext != queue.currentProgress());
  }

  private void moved() {
    var queue = channel.unsafe().outboundBuffer();
    if (queue != null) {
      messagesTaken = taken(queue);
      bytesOfNext = queue.currentProgress();
    }
    movedNanos = System.nanoTime();
  }

  /// Counted, since Netty may use the very same buffer for the next message.
  private long taken(ChannelOutboundBuffer queue) {
    return messages - queue.size();
  }
}
