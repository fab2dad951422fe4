package io.netty.channel.epoll;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// An epoll set of sockets that have no channel. Its own descriptor is one of an event loop's, so
/// that a hundred thousand sockets cost that loop nothing while they are silent. Level-triggered: a
/// socket that is not taken out is told of again.
public final class NestedEpoll implements EpollIoHandle {

  /// Sockets told of at once.
  private static final int EVENTS = 256;

  private final FileDescriptor set = Native.newEpollCreate();
  private final EpollEventArray events = new EpollEventArray(EVENTS);
  private final Listener listener;
  private IoRegistration registration;
  private boolean paused;
  private boolean closed;

  /// Called on the event loop.
  public interface Listener {
    /// How many sockets may be taken out now.
    int room();

    /// Something came from the peer of a socket, which has been taken out of the set.
    ///
    /// @param ended whether the peer has ended its side, or is gone
    void ready(int socket, boolean ended);

    /// Some are ready for which there is no room; nothing is told until [#resume].
    void full();
  }

  @SuppressWarnings("NullAway.Init") // the registration is there before the first event
  private NestedEpoll(Listener listener) {
    this.listener = listener;
  }

  /// @return completes on the loop
  public static CompletionStage<NestedEpoll> on(IoEventLoop loop, Listener listener) {
    var made = new CompletableFuture<NestedEpoll>();
    var epoll = new NestedEpoll(listener);
    var _ =
        loop.register(epoll)
            .addListener(
                done -> {
                  if (done.isSuccess()) {
                    epoll.registration = (IoRegistration) done.getNow();
                    epoll.registration.submit(EpollIoOps.EPOLLIN);
                    made.complete(epoll);
                  } else {
                    made.completeExceptionally(done.cause());
                  }
                });
    return made;
  }

  /// Takes in a socket. Thread-safe.
  ///
  /// @throws IOException if the kernel has no room for it
  public void add(int socket) throws IOException {
    Native.epollCtlAdd(set.intValue(), socket, Native.EPOLLIN | Native.EPOLLRDHUP);
  }

  /// Takes out a socket. Thread-safe.
  ///
  /// @throws IOException if it is not in the set
  public void remove(int socket) throws IOException {
    Native.epollCtlDel(set.intValue(), socket);
  }

  /// There is room again. Called on the loop.
  public void resume() {
    if (paused && !closed) {
      paused = false;
      registration.submit(EpollIoOps.EPOLLIN);
    }
  }

  @Override
  public FileDescriptor fd() {
    return set;
  }

  @Override
  public void handle(IoRegistration registered, IoEvent event) {
    if (paused || closed) {
      return;
    }
    try {
      var ready = Native.epollWait(set, events, true);
      var room = Math.min(ready, listener.room());
      for (var each = 0; each < room; each++) {
        take(events.fd(each), events.events(each));
      }
      if (room < ready) {
        pause();
      }
    } catch (IOException failure) {
      throw new IllegalStateException("epoll_wait on the parked sockets", failure);
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      registration.cancel();
      set.close();
      events.free();
    }
  }

  private void take(int socket, int events) throws IOException {
    Native.epollCtlDel(set.intValue(), socket);
    var ended = (events & (Native.EPOLLRDHUP | Native.EPOLLERR | EPOLLHUP)) != 0;
    listener.ready(socket, ended);
  }

  /// epoll_ctl(2): always told of, and no constant of Netty's.
  private static final int EPOLLHUP = 0x10;

  /// Netty 4.2.18 believes a registration without any event to be in its epoll set when it is not.
  private void pause() {
    paused = true;
    registration.submit(EpollIoOps.EPOLLRDHUP);
    listener.full();
  }
}
