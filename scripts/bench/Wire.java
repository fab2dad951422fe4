import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// TLS connections to one port, all on one event loop: what their handlers keep needs no locks. A
/// connection that ends before [#close] is a failure.
final class Wire implements AutoCloseable {
  private static final int HANDSHAKES_MAX = 64;

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final ChannelGroup open = new DefaultChannelGroup(group.next());
  private final SslContext tls;
  private final int port;
  private volatile Throwable failure;
  private volatile boolean closing;

  Wire(int port) throws Exception {
    this.port = port;
    tls =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.OPENSSL)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .endpointIdentificationAlgorithm(null)
            .build();
  }

  /// A request of the given head line, with `body`.
  static ByteBuf request(String line, byte[] body) {
    var head = line + " HTTP/1.1\r\nhost: localhost\r\ncontent-length: " + body.length + "\r\n\r\n";
    return Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), body);
  }

  /// A request without a body, for any number of writes of its duplicates.
  static ByteBuf get(String path) {
    var head = "GET " + path + " HTTP/1.1\r\nhost: localhost\r\n\r\n";
    return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII));
  }

  EventLoop loop() {
    return (EventLoop) group.iterator().next();
  }

  /// Runs it on the event loop, and waits.
  <T> T ask(Callable<T> question) throws Exception {
    return loop().submit(question).get();
  }

  Channel open(Supplier<List<ChannelHandler>> handlers) throws Exception {
    return open(1, handlers).getFirst();
  }

  /// Opens so many connections, a few at a time; returns when the handshakes are done.
  List<Channel> open(int count, Supplier<List<ChannelHandler>> handlers) throws Exception {
    var handshakes = new Semaphore(HANDSHAKES_MAX);
    var bootstrap = bootstrap(handlers);
    var channels = new ArrayList<Channel>(count);
    for (int i = 0; i < count; i++) {
      handshakes.acquire();
      var connected = bootstrap.connect("127.0.0.1", port).sync();
      connected
          .channel()
          .pipeline()
          .get(SslHandler.class)
          .handshakeFuture()
          .addListener(_ -> handshakes.release());
      channels.add(connected.channel());
    }
    handshakes.acquire(HANDSHAKES_MAX);
    check();
    return channels;
  }

  private Bootstrap bootstrap(Supplier<List<ChannelHandler>> handlers) {
    return new Bootstrap()
        .group(group)
        .channel(EpollSocketChannel.class)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                open.add(channel);
                channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                handlers.get().forEach(channel.pipeline()::addLast);
                channel.pipeline().addLast(new Watch());
              }
            });
  }

  void fail(Throwable cause) {
    if (failure == null && !closing) {
      failure = cause;
    }
  }

  /// @throws IllegalStateException if a connection has failed
  void check() {
    if (failure != null) {
      throw new IllegalStateException(failure.toString(), failure);
    }
  }

  @Override
  public void close() {
    closing = true;
    open.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private final class Watch extends ChannelInboundHandlerAdapter {
    @Override
    public void channelInactive(ChannelHandlerContext context) {
      fail(new IllegalStateException("the server closed a connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      fail(cause);
    }
  }
}
