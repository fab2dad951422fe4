import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// WebSockets that send a text of 64 bytes, and the next one when it has come back.
final class SocketLoad extends Load {
  private static final ByteBuf TEXT =
      Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("0123456789abcdef".repeat(4), US_ASCII));
  private static final int UPGRADE_SECONDS_MAX = 20;


  SocketLoad(int port, String path, int connections) throws Exception {
    super(port);
    var upgraded = new CountDownLatch(connections);
    var config =
        WebSocketClientProtocolConfig.newBuilder()
            .webSocketUri("wss://localhost:" + port + path)
            .generateOriginHeader(false)
            .build();
    var channels = wire.open(connections, () -> handlers(config, upgraded));
    if (!upgraded.await(UPGRADE_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException(upgraded.getCount() + " sockets were not upgraded");
    }
    channels.forEach(channel -> channel.pipeline().fireUserEventTriggered(Go.NOW));
  }

  private List<ChannelHandler> handlers(
      WebSocketClientProtocolConfig config, CountDownLatch upgraded) {
    return List.of(
        new HttpClientCodec(),
        new HttpObjectAggregator(8_192),
        new WebSocketClientProtocolHandler(config),
        new Exchange(upgraded));
  }

  private enum Go {
    NOW
  }

  private final class Exchange extends SimpleChannelInboundHandler<TextWebSocketFrame> {
    private final CountDownLatch upgraded;
    private long sent;

    Exchange(CountDownLatch upgraded) {
      this.upgraded = upgraded;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
        upgraded.countDown();
      } else if (event == Go.NOW) {
        send(context);
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame message) {
      if (message.content().readableBytes() != TEXT.readableBytes()) {
        wire.fail(new IllegalStateException("another message came back"));
      }
      latencies.record(sent);
      send(context);
    }

    private void send(ChannelHandlerContext context) {
      sent = System.nanoTime();
      context.writeAndFlush(new TextWebSocketFrame(TEXT.duplicate()), context.voidPromise());
    }
  }
}
