package dev.roost.server.park;

import dev.roost.server.park.conversation.Conversation;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollSocketChannel;
import org.jspecify.annotations.Nullable;

/// An awake connection, in its loop's list of them; the handler next to the socket. Confined to the
/// event loop.
final class Parkable extends ChannelDuplexHandler {

  final EpollSocketChannel channel;
  final Conversation conversation;
  private final Awake awake;

  /// Neighbours in the list; both null and not the head: it is in none.
  @Nullable Parkable previous;

  @Nullable Parkable next;

  /// When it last did anything.
  long touchedNanos;

  Parkable(EpollSocketChannel channel, Conversation conversation, Awake awake) {
    this.channel = channel;
    this.conversation = conversation;
    this.awake = awake;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    awake.touch(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    awake.touch(this);
    context.fireChannelRead(message);
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    awake.touch(this);
    context.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    awake.remove(this);
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    awake.remove(this);
  }
}
