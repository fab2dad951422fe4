package io.netty.channel.epoll;

import io.netty.channel.Channel;
import java.io.IOException;

/// Keeps a channel known to epoll when its client has ended its side: with nothing left to wait
/// for, Netty 4.2.18 takes it out and fails when it wants to wait for room to write later.
public final class KeptRegistration {

  private KeptRegistration() {}

  /// Called on the channel's event loop. Edge-triggered, so that a dead connection is told once.
  ///
  /// @param channel of any transport; only one of epoll needs it
  public static void of(Channel channel) {
    if (channel instanceof AbstractEpollChannel epoll && epoll.isRegistered()) {
      try {
        epoll.setFlag(Native.EPOLLET);
      } catch (IOException _) {
        var _ = channel.close(); // it could not be written to any more
      }
    }
  }
}
