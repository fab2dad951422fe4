package io.netty.channel.epoll;

import io.netty.channel.Channel;
import io.netty.channel.unix.Disowned;
import io.netty.channel.unix.FileDescriptor;
import java.util.Optional;

/// A TCP socket that leaves its channel, and comes back in another.
public final class DetachedSocket {

  private DetachedSocket() {}

  /// Does all of it once with a socket that is not connected.
  ///
  /// @throws LinkageError if Netty lacks what it needs
  public static void probe() throws Exception {
    var channel = new EpollSocketChannel();
    var descriptor = from(channel);
    channel.unsafe().closeForcibly();
    var set = Native.newEpollCreate();
    var events = new EpollEventArray(1);
    Native.epollCtlAdd(set.intValue(), descriptor.orElseThrow(), Native.EPOLLIN);
    var _ = Native.epollWait(set, events, true);
    Native.epollCtlDel(set.intValue(), descriptor.orElseThrow());
    events.free();
    set.close();
    new FileDescriptor(descriptor.orElseThrow()).close();
  }

  /// Takes the socket from its channel, which must be closed next, and closes nothing then. Called
  /// on the channel's event loop.
  ///
  /// @return the descriptor; empty if the socket is closed
  public static Optional<Integer> from(EpollSocketChannel channel) throws Exception {
    channel.doDeregister();
    var descriptor = channel.socket.intValue();
    return Disowned.of(channel.socket) ? Optional.of(descriptor) : Optional.empty();
  }

  /// @param parent the server channel that accepted it
  /// @return a channel for it, not registered; empty if its peer has reset it
  public static Optional<Channel> in(Channel parent, int descriptor) {
    var socket = new LinuxSocket(descriptor);
    var peer = socket.remoteAddress();
    return peer == null
        ? Optional.empty()
        : Optional.of(new EpollSocketChannel(parent, socket, peer));
  }
}
