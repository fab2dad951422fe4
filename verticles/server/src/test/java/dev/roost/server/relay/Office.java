package dev.roost.server.relay;

import dev.roost.server.link.Frame;
import dev.roost.server.link.Link;
import dev.roost.server.link.LinkServer;
import dev.roost.server.settings.TopicSettings;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/// A supervisor, as far as the relay goes: a hub and the links to it.
final class Office implements AutoCloseable {
  private final EventLoopGroup loops = Link.newLoop();
  private final Socket socket = Socket.newSocketStream();
  private final TopicSettings settings;
  private final Path file;
  private final RelayHub hub;
  private final LinkServer server;
  private final Queue<Link> links = new ConcurrentLinkedQueue<>();

  /// @param historyBytesMax of all topics together
  Office(Path folder, TopicSettings settings, long historyBytesMax) throws IOException {
    this.settings = settings;
    this.file = folder.resolve("link");
    this.hub = new RelayHub(settings, historyBytesMax);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    this.server = LinkServer.open(file, loops, _ -> Optional.of(new Desk()));
  }

  /// Another worker, which has what there is.
  Member join() throws Exception {
    return Member.at(file, settings);
  }

  long notesLost() throws Exception {
    return loops.next().submit(hub::notesLost).get();
  }

  @Override
  public void close() throws IOException {
    if (loops.isShuttingDown()) {
      return;
    }
    links.forEach(link -> link.close().join());
    server.close();
    var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    socket.close();
  }

  /// One worker's.
  private final class Desk implements LinkServer.Guest {
    private Optional<Link> link = Optional.empty();

    @Override
    public FileDescriptor socket() {
      return socket;
    }

    @Override
    public void came(Link to) {
      link = Optional.of(to);
      links.add(to);
    }

    @Override
    public void received(Frame frame) {
      switch (frame.kind()) {
        case ADOPTED -> hub.came(link.orElseThrow());
        default -> hub.received(link.orElseThrow(), frame);
      }
    }

    @Override
    public void drained() {
      link.ifPresent(hub::drained);
    }

    @Override
    public void closed() {
      link.ifPresent(hub::left);
    }
  }
}
