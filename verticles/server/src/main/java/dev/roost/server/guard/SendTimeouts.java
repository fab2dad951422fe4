package dev.roost.server.guard;

import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.HttpSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Cuts the clients of one event loop that take nothing of what waits for them
/// (`http.send-timeout`).
///
/// A healthy connection costs one look at its write queue per flush: only what waits after a flush
/// is remembered, and looked at again eight times per timeout until it has left. Whoever takes a
/// little between two looks is slow and stays. Confined to its event loop.
public final class SendTimeouts {

  /// Looks per timeout: a client is cut at most an eighth late. Connections that wait are kept from
  /// `http.keep-alive-timeout` at the same time.
  private static final int LOOKS = 8;

  /// Half of the least time after which the kernel itself gives a client up, unless we have looked.
  private static final long LOOK_MILLIS_MAX = 5_000;

  /// What the kernel takes from us beyond what is in flight, in bytes. Without it a slow client's
  /// send buffer of megabytes would hide its progress for minutes, and cost them too (tcp(7)).
  private static final Long UNSENT_BYTES_MAX = 128L << 10;

  /// Of a TCP connection whose peer has ended nothing (tcp(7), TCP_INFO).
  private static final int ESTABLISHED = 1;

  /// For [#kernelGivesUpAfter]: the kernel counts its retransmissions instead.
  static final int NEVER = 0;

  private static final List<ChannelOption<Long>> UNSENT = linux("TCP_NOTSENT_LOWAT");
  private static final List<ChannelOption<Integer>> GIVES_UP = linux("TCP_USER_TIMEOUT");

  private static final String NAME = "sendTimeout";

  private final Vertx vertx;
  private final long timeoutNanos;
  private final long lookMillis;
  private final ServerMetrics metrics;
  private final EpollTcpInfo tcp = new EpollTcpInfo();
  private final Set<Watched> waiting = new LinkedHashSet<>();
  private boolean scheduled;

  public SendTimeouts(Vertx vertx, HttpSettings settings, ServerMetrics metrics) {
    var shortest =
        Math.min(settings.sendTimeout().toMillis(), settings.keepAliveTimeout().toMillis());
    this.vertx = vertx;
    this.timeoutNanos = settings.sendTimeout().toNanos();
    this.lookMillis = Math.clamp(shortest / LOOKS, 1, LOOK_MILLIS_MAX);
    this.metrics = metrics;
  }

  /// Watches a connection until it closes, whatever protocol it changes to. Called on its event
  /// loop when it is set up.
  public void watch(HttpConnection connection) {
    if (!(connection instanceof ConnectionBase base)) {
      return; // QUIC has timeouts of its own
    }
    var channel = base.channel();
    limitUnsent(channel);
    var http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    var watched =
        http2 == null ? new Watched(this, channel) : new WatchedStreams(this, channel, http2);
    channel.pipeline().addFirst(NAME, watched);
  }

  /// Whether an option of the socket is not what it was, because its client was slow lately. Called
  /// on its event loop.
  public static boolean isJudged(Channel channel) {
    return channel.pipeline().get(NAME) instanceof Watched watched && watched.hushesKernel();
  }

  /// Cuts every connection that has bytes for its client still, at once.
  public void cutAll() {
    Set.copyOf(waiting).forEach(Watched::cut);
  }

  /// Looks after `connection` from now on.
  void add(Watched connection) {
    waiting.add(connection);
    if (!scheduled) {
      schedule();
    }
  }

  /// Whether nothing moved since `nanos` for too long.
  boolean isOver(long nanos) {
    return System.nanoTime() - nanos >= timeoutNanos;
  }

  /// When the kernel last sent data that the client's may have taken, as far as it tells (tcp(7),
  /// TCP_INFO): it may do so long before it takes more from us. Neither a window of zero lets it
  /// send, nor does one that is gone acknowledge.
  long sentNanos(Channel channel) {
    if (!(channel instanceof EpollSocketChannel socket)) {
      return System.nanoTime() - timeoutNanos;
    }
    socket.tcpInfo(tcp);
    var quietMillis = Math.max(tcp.lastDataSent(), tcp.lastAckRecv());
    return System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(quietMillis);
  }

  /// Whether the client has ended its side or reset the connection, and left what waits for it: the
  /// kernel knows, also while nothing is read.
  boolean hasLeft(Channel channel) {
    if (channel instanceof EpollSocketChannel socket && socket.isOpen()) {
      socket.tcpInfo(tcp);
      return tcp.state() != ESTABLISHED;
    }
    return channel instanceof DuplexChannel duplex && duplex.isInputShutdown();
  }

  /// Says when the kernel gives up a client that acknowledges nothing.
  ///
  /// @return what it was, in milliseconds
  static int kernelGivesUpAfter(Channel channel, int millis) {
    for (var option : GIVES_UP) {
      var was = channel.isOpen() ? channel.config().getOption(option) : null;
      if (was != null) {
        channel.config().setOption(option, millis);
        return was;
      }
    }
    return millis;
  }

  /// Counts what was cut.
  void cut() {
    metrics.sendTimedOut();
  }

  private void schedule() {
    scheduled = true;
    vertx.setTimer(lookMillis, _ -> look());
  }

  private void look() {
    scheduled = false;
    waiting.removeIf(connection -> !connection.stillWaits());
    if (!waiting.isEmpty()) {
      schedule();
    }
  }

  private static void limitUnsent(Channel channel) {
    for (var option : UNSENT) {
      if (channel.config().setOption(option, UNSENT_BYTES_MAX)) {
        return;
      }
    }
  }

  /// The names Netty's transports for Linux give to an option; the others have none.
  private static <T> List<ChannelOption<T>> linux(String option) {
    return List.of(
        ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#" + option),
        ChannelOption.valueOf("io.netty.channel.uring.IoUringChannelOption#" + option));
  }
}
