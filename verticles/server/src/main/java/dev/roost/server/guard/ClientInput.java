package dev.roost.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What one client sends, behind TLS and before the decoder. It may send frames right behind the
/// request that asks for a WebSocket, before it knows whether it gets one: they are kept until the
/// request is answered, and are what the answer makes of them, frames or further requests.
/// Meanwhile nothing more is read, so what is kept is bounded by what one read brings.
///
/// Requests that ask for no upgrade cost a look at the first byte of each line. Confined to the
/// connection's event loop.
final class ClientInput extends ChannelInboundHandlerAdapter {

  private static final String UPGRADE = "upgrade:";

  /// The only method that becomes a WebSocket is GET.
  private static final byte FIRST_OF_GET = 'G';

  private final String decoded;
  private final Owing owing;
  private @Nullable Upgrade upgrade;
  private boolean readingStopped;
  private boolean upgraded;

  /// Whether the last read ended inside a head, and in a line of it that is empty so far.
  private boolean inHead;

  private boolean lineEmpty;

  /// What the requests of the connection know.
  interface Owing {
    /// Requests that were decoded and are not answered.
    int requests();

    /// The client will send nothing more.
    void inputEnded();
  }

  /// @param decoded name of the handler that gets decoded requests
  ClientInput(String decoded, Owing owing) {
    this.decoded = decoded;
    this.owing = owing;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (upgrade != null) {
      upgrade.kept.add(message);
      return;
    }
    var end = message instanceof ByteBuf bytes && !upgraded ? endOfUpgrade(bytes) : -1;
    if (end < 0) {
      context.fireChannelRead(message);
    } else {
      readUpgrade(context, (ByteBuf) message, end);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    stopReading(context);
  }

  /// The client's close_notify was read.
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslCloseCompletionEvent) {
      owing.inputEnded();
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (upgrade != null) {
      upgrade.kept.forEach(ReferenceCountUtil::release);
      upgrade = null;
    }
  }

  /// Where the head of a request ends that may ask for an upgrade, or -1. What this takes for a
  /// head may be the body of a request; the decoder knows.
  private int endOfUpgrade(ByteBuf bytes) {
    if (!inHead && !(bytes.isReadable() && bytes.getByte(bytes.readerIndex()) == FIRST_OF_GET)) {
      return -1;
    }
    var asks = inHead; // what was read of it may have
    var empty = !inHead || lineEmpty;
    var line = bytes.readerIndex();
    for (var end = lineEnd(bytes, line); end >= 0; end = lineEnd(bytes, line)) {
      inHead = !empty || !isEmpty(bytes, line, end);
      if (!inHead && asks) {
        return end + 1;
      }
      asks = inHead && (asks || isUpgrade(bytes, line, end));
      empty = true;
      line = end + 1;
    }
    lineEmpty = empty && isEmpty(bytes, line, bytes.writerIndex());
    inHead |= line < bytes.writerIndex();
    return -1;
  }

  private void readUpgrade(ChannelHandlerContext context, ByteBuf bytes, int end) {
    var asked = new Upgrade(context, owing.requests());
    context.pipeline().addBefore(decoded, "roost-upgrade", asked);
    upgrade = asked;
    context.fireChannelRead(bytes.readRetainedSlice(end - bytes.readerIndex()));
    if (bytes.isReadable()) {
      asked.kept.addFirst(bytes); // what was read meanwhile came behind them
    } else {
      bytes.release();
    }
    if (!asked.isAsked) {
      goOn(context, asked);
    }
  }

  /// Hands on what was kept, to the decoder of whatever is spoken now.
  private void goOn(ChannelHandlerContext context, Upgrade answered) {
    answered.isOver = true;
    upgrade = null;
    context.pipeline().remove(answered);
    if (readingStopped) {
      readingStopped = false;
      context.channel().config().setAutoRead(true);
    }
    if (answered.isGiven) {
      upgraded = true;
      answered.kept.forEach(context::fireChannelRead);
      context.fireChannelReadComplete();
    } else {
      answered.kept.forEach(message -> channelRead(context, message));
      channelReadComplete(context);
    }
  }

  private void stopReading(ChannelHandlerContext context) {
    var config = context.channel().config();
    if (upgrade != null && !upgrade.kept.isEmpty() && config.isAutoRead()) {
      readingStopped = true;
      config.setAutoRead(false);
    }
  }

  private static int lineEnd(ByteBuf bytes, int from) {
    return bytes.indexOf(from, bytes.writerIndex(), (byte) '\n');
  }

  /// Whether there is nothing but the line's end, or a part of it.
  private static boolean isEmpty(ByteBuf bytes, int from, int to) {
    return to == from || (to == from + 1 && bytes.getByte(from) == '\r');
  }

  private static boolean isUpgrade(ByteBuf bytes, int from, int to) {
    if (to - from < UPGRADE.length()) {
      return false;
    }
    for (var i = 0; i < UPGRADE.length(); i++) {
      if ((bytes.getByte(from + i) | 0x20) != (UPGRADE.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }

  /// One request that may ask for an upgrade, and what comes behind it. Sees what the decoder makes
  /// of it, and how it is answered.
  private final class Upgrade extends ChannelDuplexHandler {
    private final ChannelHandlerContext input;
    private final Deque<Object> kept = new ArrayDeque<>();

    /// Requests to be answered until this one is.
    private int unanswered;

    private boolean asking;
    private boolean isAsked;
    private boolean isGiven;
    private boolean isOver;

    Upgrade(ChannelHandlerContext input, int unanswered) {
      this.input = input;
      this.unanswered = unanswered;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest request) {
        asking = asks(request);
        unanswered++;
      }
      isAsked = asking && message instanceof LastHttpContent;
      context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      var _ = context.write(message, promise);
      var interim = false;
      if (message instanceof HttpResponse response) {
        isGiven = response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
        interim = !isGiven && response.status().codeClass().contains(100);
      }
      if (message instanceof LastHttpContent && !interim) {
        unanswered--;
        if (unanswered == 0) {
          context.executor().execute(this::answered); // when its answer has taken effect
        }
      }
    }

    private void answered() {
      if (unanswered == 0 && !isOver && !input.isRemoved()) {
        goOn(input, this);
      }
    }

    private static boolean asks(HttpRequest request) {
      return request.method().equals(HttpMethod.GET)
          && request.decoderResult().isSuccess()
          && request
              .headers()
              .containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
    }
  }
}
