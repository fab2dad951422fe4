package dev.roost.server.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateHandler;
import org.jspecify.annotations.Nullable;

/// One connection whose client should take what is written to it; the handler next to the socket.
/// Confined to its event loop.
class Watched extends ChannelOutboundHandlerAdapter {

  private final SendTimeouts timeouts;
  private final Channel channel;
  private boolean waiting;
  private @Nullable Object first;
  private long firstWritten;
  private long movedNanos;

  Watched(SendTimeouts timeouts, Channel channel) {
    this.timeouts = timeouts;
    this.channel = channel;
  }

  @Override
  public final void flush(ChannelHandlerContext context) {
    context.flush();
    if (!waiting && mayWait()) {
      waiting = true;
      moved();
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
    } else {
      first = null;
    }
    return waiting;
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
    } else if (timeouts.isOver(movedNanos)) {
      timeouts.cut();
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
        && (!same(first, queue.current()) || firstWritten != queue.currentProgress());
  }

  private void moved() {
    var queue = channel.unsafe().outboundBuffer();
    if (queue != null) {
      first = queue.current();
      firstWritten = queue.currentProgress();
    }
    movedNanos = System.nanoTime();
  }

  /// The very message, not an equal one: equal buffers follow each other in many answers.
  @SuppressWarnings("ReferenceEquality")
  private static boolean same(@Nullable Object one, @Nullable Object other) {
    return one == other;
  }
}
