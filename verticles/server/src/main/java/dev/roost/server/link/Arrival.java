package dev.roost.server.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/// What a worker has when it has come to its supervisor.
///
/// @param link the way back
/// @param socket the listening socket; the worker's own from now on
public record Arrival(Link link, FileDescriptor socket) {

  /// Connects to the supervisor and takes the listening socket.
  ///
  /// @param loop of one thread
  /// @param listener of the link
  /// @return fails if there is no supervisor, or it does not know this process
  public static CompletableFuture<Arrival> at(
      Path file, EventLoopGroup loop, Link.Listener listener) {
    var arrived = new CompletableFuture<Arrival>();
    var _ =
        new Bootstrap()
            .group(loop)
            .channel(EpollDomainSocketChannel.class)
            .option(
                EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
            .handler(new Taking(arrived, listener))
            .connect(new DomainSocketAddress(file.toFile()))
            .addListener(
                connected -> {
                  if (!connected.isSuccess()) {
                    arrived.completeExceptionally(connected.cause());
                  }
                });
    return arrived;
  }

  private static final class Taking extends ChannelInitializer<EpollDomainSocketChannel> {
    private final CompletableFuture<Arrival> arrived;
    private final Link.Listener listener;

    Taking(CompletableFuture<Arrival> arrived, Link.Listener listener) {
      this.arrived = arrived;
      this.listener = listener;
    }

    @Override
    protected void initChannel(EpollDomainSocketChannel channel) {
      channel.pipeline().addLast(new Socket(this));
      var _ =
          channel
              .closeFuture()
              .addListener(
                  _ -> arrived.completeExceptionally(new IOException("no socket was handed over")));
    }

    /// The supervisor sends nothing else before it has heard that the socket is here.
    void took(ChannelHandlerContext context, FileDescriptor socket) {
      var channel = (EpollDomainSocketChannel) context.channel();
      channel.config().setReadMode(DomainSocketReadMode.BYTES);
      var link = new Link(channel);
      link.listen(listener);
      channel.pipeline().remove(context.name());
      arrived.complete(new Arrival(link, socket));
      link.send(Frame.of(FrameKind.ADOPTED));
    }
  }

  private static final class Socket extends SimpleChannelInboundHandler<FileDescriptor> {
    private final Taking taking;

    Socket(Taking taking) {
      this.taking = taking;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FileDescriptor socket) {
      taking.took(context, socket);
    }
  }
}
