package dev.roost.server.listen;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Listening sockets on one address, a slot for each worker process, which the kernel spreads new
/// connections over (SO_REUSEPORT, socket(7)). They are all this process's and open as long as it
/// lives: connections that wait in one are lost with none of the workers. Linux only. Confined to
/// one thread, but for [#port()] and [#descriptor(int)].
public final class SharedPort implements AutoCloseable {

  /// Connections the kernel holds in one socket until they are accepted; it caps the number by
  /// net.core.somaxconn.
  public static final int ACCEPT_BACKLOG = 4_096;

  private final List<Socket> sockets = new ArrayList<>();
  private final int port;

  private SharedPort(InetSocketAddress address, int slots) throws IOException {
    Epoll.ensureAvailability();
    try {
      var bound = address;
      for (var slot = 0; slot < slots; slot++) {
        bound = new InetSocketAddress(address.getAddress(), listen(bound));
      }
      this.port = bound.getPort();
    } catch (IOException | RuntimeException failure) {
      close();
      throw failure;
    }
  }

  /// @param address with port 0 the kernel picks one, the same for all
  /// @param slots 1..64
  /// @throws IOException if the address cannot be bound
  /// @throws UnsatisfiedLinkError if there is no epoll here
  public static SharedPort open(InetSocketAddress address, int slots) throws IOException {
    if (slots < 1 || slots > Steering.SLOTS_MAX) {
      throw new IllegalArgumentException("slots: %d is not in 1..64".formatted(slots));
    }
    return new SharedPort(address, slots);
  }

  /// The TCP port.
  public int port() {
    return port;
  }

  /// The socket of a slot, to be handed to its worker. It stays this object's.
  public FileDescriptor descriptor(int slot) {
    return sockets.get(slot);
  }

  /// New connections go to these slots alone from now on, to each as often. Those that wait in
  /// another slot stay there.
  ///
  /// @param slots not empty
  public void steer(BitSet slots) throws IOException {
    Steering.to(slots).attach(sockets.getFirst());
  }

  /// Closes the sockets: what waits in them is reset, unless a worker holds them too.
  @Override
  public void close() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }

  private int listen(InetSocketAddress address) throws IOException {
    var socket = Socket.newSocketStream();
    sockets.add(socket);
    socket.setReuseAddress(true);
    socket.setReusePort(true);
    socket.bind(address);
    socket.listen(ACCEPT_BACKLOG);
    return socket.localAddress().getPort();
  }
}
