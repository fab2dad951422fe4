package dev.roost.gate.client;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on all loopback addresses that behaves as badly as it is told. Its TLS is the JDK's, so
/// that the client is tested against another implementation than its own.
public final class LoopbackServer implements AutoCloseable {

  /// What to do about a request.
  public interface Behaviour {
    void asked(Asked asked);
  }

  /// A request that has come in.
  ///
  /// @param connection number of the connection, from 0, in the order they were accepted
  /// @param request number of the request on its connection, from 1
  /// @param accepted how many connections the server has accepted until now
  public record Asked(Channel channel, int connection, int request, int accepted) {
    public void answer() {
      answer("200 OK", "Hello from Roost\n");
    }

    public void answer(String status, String body) {
      raw("HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s".formatted(status, body.length(), body));
    }

    public void raw(String text) {
      var _ = channel.writeAndFlush(bytes(text));
    }

    public void close() {
      var _ = channel.close();
    }

    public void answerAndClose() {
      channel
          .writeAndFlush(bytes("HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\nHello from Roost\n"))
          .addListener(ChannelFutureListener.CLOSE);
    }

    private static ByteBuf bytes(String text) {
      return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private final AtomicInteger accepted = new AtomicInteger();
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final Channel listener;

  private LoopbackServer(SslContext tls, Behaviour behaviour) {
    this.listener =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            tls.newHandler(channel.alloc()), new Listener(behaviour, accepted));
                  }
                })
            .bind(0)
            .syncUninterruptibly()
            .channel();
  }

  /// Starts one that speaks TLS 1.3.
  public static LoopbackServer behaving(Behaviour behaviour) {
    return new LoopbackServer(TestCertificate.context("TLSv1.3"), behaviour);
  }

  /// Starts one that speaks nothing newer than TLS 1.2.
  public static LoopbackServer outdated() {
    return new LoopbackServer(TestCertificate.context("TLSv1.2"), Asked::answer);
  }

  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static final class Listener extends SimpleChannelInboundHandler<ByteBuf> {
    private final Behaviour behaviour;
    private final AtomicInteger accepted;
    private final int connection;
    private final StringBuilder received = new StringBuilder();
    private int requests;

    private Listener(Behaviour behaviour, AtomicInteger accepted) {
      this.behaviour = behaviour;
      this.accepted = accepted;
      this.connection = accepted.getAndIncrement();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      received.append(bytes.toString(StandardCharsets.US_ASCII));
      int end = received.indexOf("\r\n\r\n");
      if (end >= 0) {
        received.delete(0, end + 4);
        requests++;
        behaviour.asked(new Asked(context.channel(), connection, requests, accepted.get()));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }
}
