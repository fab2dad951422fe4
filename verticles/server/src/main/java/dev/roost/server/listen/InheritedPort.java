package dev.roost.server.listen;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannelOption;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/// A listening socket that another process opened, and the transport on which a server of this
/// process takes it instead of binding one. Thread-safe.
public final class InheritedPort {

  private final EpollServerSocketChannel channel;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final Adoption adoption = new Adoption();

  /// @param socket bound and listening; this object's from now on
  public InheritedPort(FileDescriptor socket) {
    channel = new EpollServerSocketChannel(socket.intValue());
    channel.config().setAutoRead(false); // until whoever handles the connections is there
    channel.pipeline().addLast("inherited", adoption);
  }

  /// The TCP port.
  public int port() {
    return channel.localAddress().getPort();
  }

  /// epoll, with one difference: the first server that asks to share its port
  /// ([TcpConfig#setSoReusePort]) gets this one.
  public Transport transport() {
    return new TransportInternal("epoll", true, null, new Inheriting());
  }

  /// Leaves new connections to the other process from now on. What was accepted is served as
  /// before, and the parked wake: only the end of the server closes the socket.
  public void stopAccepting() {
    channel.eventLoop().execute(adoption::stop);
  }

  /// Where Vert.x binds, the socket is bound already; where it reads, connections are accepted, as
  /// long as they may be. Confined to the loop that accepts.
  private final class Adoption extends ChannelDuplexHandler {
    private boolean stopped;

    @Override
    public void bind(ChannelHandlerContext context, SocketAddress wanted, ChannelPromise bound) {
      if (wanted instanceof InetSocketAddress address && address.getPort() == port()) {
        bound.setSuccess();
        context.channel().config().setAutoRead(true);
      } else {
        bound.setFailure(
            new IllegalArgumentException(
                "port: the socket handed over is on %d, not %s".formatted(port(), wanted)));
      }
    }

    @Override
    public void read(ChannelHandlerContext context) {
      if (!stopped) {
        context.read();
      }
    }

    void stop() {
      stopped = true;
      channel.config().setAutoRead(false);
    }
  }

  /// Vert.x configures a server's bootstrap and asks for its channel right after, on one thread.
  private final class Inheriting extends EpollTransport {
    private final ThreadLocal<Boolean> shares = ThreadLocal.withInitial(() -> false);

    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(config, domainSocket, bootstrap);
      shares.set(!domainSocket && config.isSoReusePort());
      bootstrap.option(UnixChannelOption.SO_REUSEPORT, shares.get());
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      var inherits = shares.get() && taken.compareAndSet(false, true);
      shares.remove();
      return inherits ? () -> channel : super.serverChannelFactory(domainSocket);
    }
  }
}
