package dev.roost.gate.client;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Opens TLS 1.3 connections, spread over the target's addresses and the client's event loops. Owns
/// the event loops; closing it closes every connection. Thread-safe.
final class Dialer implements AutoCloseable {
  /// A busy server may take its time: the ramp has its own limit, this only ends what hangs.
  private static final long HANDSHAKE_SECONDS_MAX = 60;

  private static final long SHUTDOWN_SECONDS_MAX = 10;

  private final Target target;
  private final Causes causes = new Causes();
  private final AtomicInteger dialled = new AtomicInteger();
  private final SslContext tls;
  private final MultiThreadIoEventLoopGroup loops;
  private final Map<EventLoop, Talk> talks;

  Dialer(Target target, int loopCount) {
    this.target = target;
    this.tls = tls(target.asking().protocol().alpn());
    this.loops = new MultiThreadIoEventLoopGroup(loopCount, EpollIoHandler.newFactory());
    List<EventLoop> each = new ArrayList<>();
    loops.forEach(loop -> each.add((EventLoop) loop));
    this.talks = each.stream().collect(Collectors.toMap(loop -> loop, _ -> talk()));
  }

  private Talk talk() {
    var asking = target.asking();
    return new Talk(asking.protocol().alpn(), asking.dialogues(target.port()), causes);
  }

  /// Trusts any certificate: the server under test is on loopback and signed its own. The counted
  /// engine is freed when its connection closes, not by a finalizer.
  private static SslContext tls(String alpn) {
    try {
      var builder =
          SslContextBuilder.forClient()
              .sslProvider(SslProvider.OPENSSL_REFCNT)
              .protocols("TLSv1.3")
              .trustManager(InsecureTrustManagerFactory.INSTANCE)
              .endpointIdentificationAlgorithm("");
      return alpn.isEmpty()
          ? builder.build()
          : builder.applicationProtocolConfig(only(alpn)).build();
    } catch (SSLException impossible) {
      throw new IllegalStateException("BoringSSL refuses a plain TLS 1.3 client", impossible);
    }
  }

  /// Netty accepts a server that chooses nothing; [HeldConnection] does not.
  private static ApplicationProtocolConfig only(String alpn) {
    return new ApplicationProtocolConfig(
        ApplicationProtocolConfig.Protocol.ALPN,
        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
        alpn);
  }

  /// Starts the next connection.
  ///
  /// @param first is told the outcome of the handshake and the first GET
  /// @throws io.netty.channel.ChannelException if no socket can be made
  void dial(Idleness idleness, Exchange first) {
    EventLoop loop = loops.next();
    var channel = new EpollSocketChannel();
    channel.config().setTcpNoDelay(true);
    var handler = new SslHandler(tls.newEngine(channel.alloc()));
    handler.setHandshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
    // Else a port that is bound to a source address cannot be used towards a second one.
    channel.config().setOption(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
    var talk = Objects.requireNonNull(talks.get(loop));
    var connection = new HeldConnection(channel, talk, idleness, first);
    channel.pipeline().addLast(handler, connection);
    int index = Math.floorMod(dialled.getAndIncrement(), target.addresses().size());
    var address = target.addresses().get(index);
    var server = new InetSocketAddress(address, target.port());
    loop.register(channel)
        .addListener(registration -> connect(channel, server, connection, registration.cause()));
  }

  private void connect(
      EpollSocketChannel channel,
      InetSocketAddress server,
      HeldConnection connection,
      @Nullable Throwable unregistered) {
    if (unregistered != null) {
      connection.unconnected(unregistered);
      return;
    }
    target
        .source()
        .map(source -> channel.connect(server, new InetSocketAddress(source, 0)))
        .orElseGet(() -> channel.connect(server))
        .addListener(
            connect -> {
              if (!connect.isSuccess()) {
                connection.unconnected(connect.cause());
              }
            });
  }

  /// A few different causes of what went wrong so far.
  List<String> causes() {
    return causes.seen();
  }

  /// Keeps the cause of a connection that could not even be started.
  void note(Throwable cause) {
    causes.note(cause);
  }

  @Override
  public void close() {
    loops
        .shutdownGracefully(0, SHUTDOWN_SECONDS_MAX, TimeUnit.SECONDS)
        .awaitUninterruptibly(SHUTDOWN_SECONDS_MAX, TimeUnit.SECONDS);
    ReferenceCountUtil.release(tls);
  }
}
