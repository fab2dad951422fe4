package dev.roost.server.http;

import dev.roost.server.guard.Http1Guard;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Closes the connections of one event loop that nobody has sent anything on for
/// `http.keep-alive-timeout`, in either direction.
///
/// When that was is asked of the kernel (tcp(7), TCP_INFO), once per connection and timeout, so
/// that a request costs nothing. Netty's IdleStateHandler, which looks at the clock for each read
/// and write, took a tenth of the CPU time of a small request (measured 2026-12-01: 22.8 and 20.8
/// µs, a router and a filter included, over TLS). Confined to its event loop.
final class IdleConnections {

  /// Looks per timeout: a connection closes at most an eighth late.
  private static final int LOOKS = 8;

  /// Vert.x's name for Netty's handler. It puts its decoder before it, and behind the handler of
  /// files, where there is one.
  private static final String IDLE = "idle";

  private static final long LOOK_MILLIS_MAX = 5_000;

  private final Vertx vertx;
  private final long timeoutNanos;
  private final long lookMillis;
  private final Set<Entry> entries = new LinkedHashSet<>();
  private final EpollTcpInfo tcp = new EpollTcpInfo();
  private boolean scheduled;

  IdleConnections(Vertx vertx, Duration timeout) {
    this.vertx = vertx;
    this.timeoutNanos = timeout.toNanos();
    this.lookMillis = Math.clamp(timeout.toMillis() / LOOKS, 1, LOOK_MILLIS_MAX);
  }

  /// Watches a connection until it closes or becomes a WebSocket, which has a timeout of its own.
  /// Where the kernel cannot be asked, Netty's handler stays. Called on its event loop when it is
  /// set up.
  void watch(HttpConnection connection) {
    if (connection instanceof ConnectionBase base
        && base.channel() instanceof EpollSocketChannel channel) {
      if (channel.pipeline().get(IDLE) != null) {
        channel.pipeline().remove(IDLE);
      }
      var entry = new Entry(channel, connection);
      entries.add(entry);
      var _ = channel.closeFuture().addListener(_ -> entries.remove(entry));
      schedule();
    }
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      vertx.setTimer(lookMillis, _ -> look());
    }
  }

  private void look() {
    scheduled = false;
    var now = System.nanoTime();
    entries.stream().filter(entry -> entry.isDue(now)).toList().forEach(entry -> entry.look(now));
    if (!entries.isEmpty()) {
      schedule();
    }
  }

  /// One connection, and when it may be idle for too long at the earliest.
  private final class Entry {

    private final EpollSocketChannel channel;
    private final HttpConnection connection;
    private long dueNanos = System.nanoTime() + timeoutNanos;

    private Entry(EpollSocketChannel channel, HttpConnection connection) {
      this.channel = channel;
      this.connection = connection;
    }

    private boolean isDue(long now) {
      return now - dueNanos >= 0;
    }

    private void look(long now) {
      if (!channel.isOpen()) {
        return; // its end is on the way
      }
      if (Http1Guard.of(connection).map(Http1Guard::isUpgraded).orElse(false)) {
        entries.remove(this);
        return;
      }
      var quietNanos = waitsForClient() ? 0 : quietNanos();
      dueNanos = now + timeoutNanos - quietNanos;
      if (isDue(now)) {
        connection.close(); // its failure means that the client is gone
      }
    }

    private long quietNanos() {
      channel.tcpInfo(tcp);
      return TimeUnit.MILLISECONDS.toNanos(Math.min(tcp.lastDataSent(), tcp.lastDataRecv()));
    }

    /// What a client does not take is a matter of `http.send-timeout`.
    private boolean waitsForClient() {
      var queue = channel.unsafe().outboundBuffer();
      return queue != null && !queue.isEmpty();
    }
  }
}
