import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.File;
import java.security.SecureRandom;

/// What Vert.x itself stands on: the least one can write with Netty's codecs alone. `BareNetty PORT
/// CERT KEY LOOPS hello` answers on HTTP/1.1 and HTTP/2, with `echo` instead it sends WebSocket
/// messages back.
public final class BareNetty {
  private static final ByteBuf BODY =
      Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("Hello from Roost\n", US_ASCII));

  public static void main(String[] args) throws Exception {
    var tls = tls(new File(args[1]), new File(args[2]));
    var loops =
        new MultiThreadIoEventLoopGroup(Integer.parseInt(args[3]), EpollIoHandler.newFactory());
    boolean echoes = args[4].equals("echo");
    new ServerBootstrap()
        .group(loops)
        .channel(EpollServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 4_096)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(tls.newHandler(channel.alloc()), new Negotiated(echoes));
              }
            })
        .bind(Integer.parseInt(args[0]))
        .sync();
  }

  private static SslContext tls(File certificate, File key) throws Exception {
    var context =
        SslContextBuilder.forServer(certificate, key)
        .sslProvider(SslProvider.OPENSSL)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                ApplicationProtocolNames.HTTP_2,
                ApplicationProtocolNames.HTTP_1_1))
        .build();
    // Without keys of its own Netty hands out no tickets.
    ((OpenSslServerSessionContext) context.sessionContext())
        .setTicketKeys(new OpenSslSessionTicketKey(random(16), random(16), random(16)));
    return context;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private static final class Negotiated extends ApplicationProtocolNegotiationHandler {
    private final boolean echoes;

    Negotiated(boolean echoes) {
      super(ApplicationProtocolNames.HTTP_1_1);
      this.echoes = echoes;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      ChannelPipeline pipeline = context.pipeline();
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        pipeline.addLast(Http2FrameCodecBuilder.forServer().build(), new Http2Hello());
      } else if (echoes) {
        pipeline.addLast(
            new HttpServerCodec(),
            new HttpServerKeepAliveHandler(),
            new HttpObjectAggregator(8_192),
            new WebSocketServerProtocolHandler("/echo"),
            new Echo());
      } else {
        pipeline.addLast(
            new HttpServerCodec(), new HttpServerKeepAliveHandler(), new Http1Hello());
      }
    }
  }

  private static class Http1Hello extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof LastHttpContent) {
        var answer =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, BODY.duplicate());
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, "17");
        answer.headers().set(HttpHeaderNames.SERVER, "Roost");
        context.write(answer, context.voidPromise());
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  private static final class Http2Hello extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2HeadersFrame request && request.isEndStream()) {
        var headers = new DefaultHttp2Headers().status("200");
        headers.set("content-length", "17").set("server", "Roost");
        context.write(new DefaultHttp2HeadersFrame(headers).stream(request.stream()));
        context.write(new DefaultHttp2DataFrame(BODY.duplicate(), true).stream(request.stream()));
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  private static final class Echo extends Http1Hello {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof WebSocketFrame) {
        context.write(message, context.voidPromise());
      } else {
        super.channelRead(context, message);
      }
    }
  }
}
