package dev.roost.server.link;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// Where workers come for their listening socket: a unix socket, known by the process id that the
/// kernel vouches for (SO_PEERCRED). Thread-safe.
public final class LinkServer implements AutoCloseable {

  private static final Logger LOG = System.getLogger(LinkServer.class.getName());

  private final Path file;
  private final Channel channel;

  private LinkServer(Path file, Channel channel) {
    this.file = file;
    this.channel = channel;
  }

  /// Knows the workers. Called on the loop.
  @FunctionalInterface
  public interface Door {

    /// @param pid of the process that came
    /// @return empty for a stranger, which is sent away
    Optional<Guest> guest(long pid);
  }

  /// A worker that is let in.
  public interface Guest extends Link.Listener {

    /// The listening socket it gets. It stays ours.
    FileDescriptor socket();

    /// The way to it; nothing may be sent before the frame ADOPTED has come.
    void came(Link link);
  }

  /// @param file made with mode 0600, in a folder of this user alone; at most 100 bytes
  /// @param loop of one thread
  /// @throws IOException if there can be no socket
  public static LinkServer open(Path file, EventLoopGroup loop, Door door) throws IOException {
    Files.deleteIfExists(file); // of a process that was killed
    var bound =
        new ServerBootstrap()
            .group(loop)
            .channel(EpollServerDomainSocketChannel.class)
            .childHandler(new Reception(door))
            .bind(new DomainSocketAddress(file.toFile()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("%s: %s".formatted(file, bound.cause().getMessage()), bound.cause());
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return new LinkServer(file, bound.channel());
  }

  /// Lets nobody in any more; links stay. The file is gone.
  @Override
  public void close() throws IOException {
    channel.close().awaitUninterruptibly();
    Files.deleteIfExists(file);
  }

  private static final class Reception extends ChannelInitializer<EpollDomainSocketChannel> {
    private final Door door;

    Reception(Door door) {
      this.door = door;
    }

    @Override
    protected void initChannel(EpollDomainSocketChannel channel) throws IOException {
      long pid = channel.peerCredentials().pid();
      var guest = door.guest(pid);
      if (guest.isEmpty()) {
        LOG.log(Level.WARNING, "process {0} is no worker: sent away", Long.toString(pid));
        channel.eventLoop().execute(() -> closeNow(channel));
        return;
      }
      var link = new Link(channel);
      guest.get().came(link);
      link.listen(guest.get());
      // once it is active
      channel.eventLoop().execute(() -> handOver(channel, guest.get().socket()));
    }

    private static void closeNow(Channel channel) {
      var _ = channel.close();
    }

    private static void handOver(Channel channel, FileDescriptor socket) {
      var _ = channel.writeAndFlush(socket);
    }
  }
}
