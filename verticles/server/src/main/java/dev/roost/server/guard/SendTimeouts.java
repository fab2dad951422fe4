package dev.roost.server.guard;

import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.HttpSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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

  /// What the kernel takes from us beyond what is in flight, in bytes. Without it a slow client's
  /// send buffer of megabytes would hide its progress for minutes, and cost them too (tcp(7)).
  private static final Long UNSENT_BYTES_MAX = 128L << 10;

  /// The names Netty's transports for Linux give to it; the others have none.
  private static final List<ChannelOption<Long>> UNSENT =
      List.of(
          ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_NOTSENT_LOWAT"),
          ChannelOption.valueOf("io.netty.channel.uring.IoUringChannelOption#TCP_NOTSENT_LOWAT"));

  private final Vertx vertx;
  private final long timeoutNanos;
  private final long lookMillis;
  private final ServerMetrics metrics;
  private final Set<Watched> waiting = new LinkedHashSet<>();
  private boolean scheduled;

  public SendTimeouts(Vertx vertx, HttpSettings settings, ServerMetrics metrics) {
    var idle = settings.keepAliveTimeout().toMillis();
    this.vertx = vertx;
    this.timeoutNanos = settings.sendTimeout().toNanos();
    this.lookMillis = Math.max(1, Math.min(settings.sendTimeout().toMillis(), idle) / LOOKS);
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
    channel.pipeline().addFirst("sendTimeout", watched);
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
}
