package dev.roost.gate.client;

import dev.roost.gate.protocol.Dialogue;
import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One connection: asks when told, tells the outcome, and notices what happens while it is idle. It
/// keeps no buffer while it waits, so that one process can hold very many.
///
/// Confined to its channel's event loop, except [#onLoop] and [#isOpen].
final class HeldConnection extends ChannelInboundHandlerAdapter {
  private final Channel channel;
  private final Talk talk;
  private final Dialogue dialogue;
  private final Idleness idleness;

  private @Nullable Exchange open;
  private ByteBuf partial = Unpooled.EMPTY_BUFFER;
  private boolean shaken;
  private boolean disturbed;
  private boolean leaving;

  /// @param first is told the outcome of the handshake and the first GET
  HeldConnection(Channel channel, Talk talk, Idleness idleness, Exchange first) {
    this.channel = channel;
    this.talk = talk;
    this.dialogue = talk.dialogues().get();
    this.idleness = idleness;
    this.open = first;
  }

  /// Runs `action` on this connection's event loop; from any thread.
  void onLoop(Runnable action) {
    channel.eventLoop().execute(action);
  }

  /// Whether neither side has closed it; from any thread.
  boolean isOpen() {
    return channel.isActive();
  }

  /// Reads nothing more from the socket until [#resume]: what comes stays in the kernel.
  void pause() {
    channel.config().setAutoRead(false);
  }

  void resume() {
    channel.config().setAutoRead(true);
  }

  /// Writes a GET whose outcome `exchange` is told.
  ///
  /// @param written runs once the GET is in the kernel's hands, or cannot get there
  void ask(Exchange exchange, Runnable written) {
    open = exchange;
    if (!channel.isActive()) {
      written.run();
      end(Outcome.CLOSED);
      return;
    }
    write(written);
  }

  private void write(Runnable written) {
    channel
        .writeAndFlush(dialogue.question())
        .addListener(
            write -> {
              written.run();
              if (!write.isSuccess()) {
                shut();
              }
            });
  }

  /// Gives up waiting; the exchange is told nothing. Closes the connection if it was still waiting,
  /// so that a late answer can never be taken for the next one.
  void expire() {
    if (open != null) {
      open = null;
      close();
    }
  }

  /// Closes it from this side; nothing is counted as dropped.
  void close() {
    leaving = true;
    shut();
  }

  /// Ends the first exchange of a connection that never came about.
  void unconnected(Throwable cause) {
    talk.causes().note(cause);
    end(Outcome.UNCONNECTED);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    switch (event) {
      case SslHandshakeCompletionEvent handshake when handshake.isSuccess() -> begin(context);
      case SslHandshakeCompletionEvent handshake -> refuse(handshake.cause());
      case SslCloseCompletionEvent _ -> shut();
      default -> context.fireUserEventTriggered(event);
    }
  }

  private void begin(ChannelHandlerContext context) {
    String agreed = context.pipeline().get(SslHandler.class).applicationProtocol();
    if (!talk.alpn().isEmpty() && !talk.alpn().equals(agreed)) {
      refuse(new SSLException("the server did not agree to " + talk.alpn()));
      return;
    }
    shaken = true;
    write(() -> {});
  }

  private void refuse(Throwable cause) {
    talk.causes().note(cause);
    end(Outcome.UNSHAKEN);
    close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (partial.isReadable()) {
      bytes = Unpooled.wrappedBuffer(partial, bytes);
      partial = Unpooled.EMPTY_BUFFER;
    }
    try {
      if (open == null || answered(bytes)) {
        readUnasked(bytes);
      }
      if (bytes.isReadable() && !leaving) {
        partial = Unpooled.copiedBuffer(bytes);
      }
    } finally {
      bytes.release();
    }
  }

  /// Whether the open exchange has ended.
  private boolean answered(ByteBuf bytes) {
    var outcome = dialogue.answer(bytes, this::reply);
    if (outcome.isEmpty()) {
      return false;
    }
    boolean lostCount = outcome.get() == Outcome.MALFORMED;
    end(outcome.get());
    if (lostCount) {
      close();
    }
    return true;
  }

  private void readUnasked(ByteBuf bytes) {
    if (bytes.isReadable() && !leaving && !dialogue.unasked(bytes, this::reply)) {
      disturb();
    }
  }

  /// A reply that cannot be written is that of a connection that ends.
  private void reply(ByteBuf bytes) {
    var _ = channel.writeAndFlush(bytes, channel.voidPromise());
  }

  private void disturb() {
    if (!disturbed) {
      disturbed = true;
      idleness.disturbed();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    partial.release();
    partial = Unpooled.EMPTY_BUFFER;
    if (open != null) {
      end(shaken ? Outcome.CLOSED : Outcome.UNSHAKEN);
    } else if (!leaving) {
      idleness.dropped();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    talk.causes().note(cause);
    shut();
  }

  private void end(Outcome outcome) {
    Exchange ended = open;
    open = null;
    if (ended != null) {
      ended.ended(this, outcome);
    }
  }

  /// How a close ends is told by [#channelInactive].
  private void shut() {
    var _ = channel.close();
  }
}
