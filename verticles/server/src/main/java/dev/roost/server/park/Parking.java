package dev.roost.server.park;

import dev.roost.server.guard.Connections;
import dev.roost.server.guard.Http1Guard;
import dev.roost.server.metrics.ParkMetrics;
import dev.roost.server.park.lean.BoringSecrets;
import dev.roost.server.park.lean.LeanTls;
import dev.roost.server.settings.ParkSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.KeptSsl;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Parks the idle HTTP/1.1 connections of one server (`tls.park`). Thread-safe.
public final class Parking implements AutoCloseable {

  private final ParkSettings settings;
  private final Duration idle;
  private final ParkMetrics metrics;
  private final Runnable ended;
  private final HeapRoom room = new HeapRoom();
  private final boolean parks;
  private final Optional<BoringSecrets> secrets;
  private final Map<EventLoop, Awake> awake = new ConcurrentHashMap<>();
  private final Map<Channel, ParkedSet> sets = new ConcurrentHashMap<>();

  /// @param idle silence after which it is closed, parked or not
  /// @param ended called when a connection has ended while it was parked
  public Parking(ParkSettings settings, Duration idle, ParkMetrics metrics, Runnable ended) {
    this.settings = settings;
    this.idle = idle;
    this.metrics = metrics;
    this.ended = ended;
    this.parks = settings.kind() != ParkSettings.Kind.OFF && ParkProbe.passed();
    this.secrets =
        parks && settings.kind().equals(ParkSettings.Kind.LEAN)
            ? ParkProbe.secrets()
            : Optional.empty();
    metrics.count(() -> sets.values().stream().mapToInt(ParkedSet::size).sum());
    metrics.countLean(() -> sets.values().stream().mapToInt(ParkedSet::leanSize).sum());
  }

  /// Parks `connection` whenever it is idle from now on, if it can be. Called on its event loop
  /// when it has just been set up, new or woken.
  public void watch(HttpConnection connection) {
    var guard = Http1Guard.of(connection);
    var below = Connections.channel(connection);
    if (below != null) {
      Woken.setUp(below);
    }
    if (!parks
        || guard.isEmpty()
        || !(below instanceof EpollSocketChannel channel)
        || !canBeKept(channel)) {
      return;
    }
    var port = channel.parent();
    sets.computeIfAbsent(port, this::open);
    channel
        .pipeline()
        .addFirst("parkable", new Parkable(channel, guard.get(), awake(channel.eventLoop())));
  }

  /// Closes what is parked, and parks no more.
  @Override
  public void close() {
    sets.values().forEach(ParkedSet::close);
    room.close();
  }

  HeapRoom room() {
    return room;
  }

  ParkMetrics metrics() {
    return metrics;
  }

  /// Time that a connection is silent until it is parked without BoringSSL's state.
  Duration leanAfter() {
    return settings.leanAfter();
  }

  /// How that state is read; empty if it is kept.
  Optional<BoringSecrets> secrets() {
    return secrets;
  }

  void ended() {
    ended.run();
  }

  /// Parks early on every loop.
  void relieve() {
    awake.forEach((loop, connections) -> loop.execute(connections::relieve));
  }

  private ParkedSet open(Channel port) {
    port.eventLoop().execute(() -> port.pipeline().addFirst(new Accepting(this, metrics)));
    return new ParkedSet(port, this, metrics, idle);
  }

  private Awake awake(EventLoop loop) {
    return awake.computeIfAbsent(
        loop, each -> new Awake(each, settings.after().toNanos(), this::park));
  }

  private boolean park(Parkable connection) {
    if (connection.guard.isUpgraded()) {
      connection.channel.pipeline().remove(connection);
      return true;
    }
    var set = sets.get(connection.channel.parent());
    return set != null && isIdle(connection) && set.park(connection);
  }

  private static boolean isIdle(Parkable connection) {
    var unsent = connection.channel.unsafe().outboundBuffer();
    return connection.channel.isActive()
        && unsent != null
        && unsent.isEmpty()
        && connection.guard.isIdle()
        && (!(connection.channel.pipeline().get(SslHandler.class) instanceof LeanTls lean)
            || lean.isIdle());
  }

  private static boolean canBeKept(Channel channel) {
    var tls = channel.pipeline().get(SslHandler.class);
    return tls == null || tls instanceof LeanTls || KeptSsl.isIn(tls.engine());
  }
}
