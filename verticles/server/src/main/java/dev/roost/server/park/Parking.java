package dev.roost.server.park;

import dev.roost.server.guard.Connections;
import dev.roost.server.guard.SendTimeouts;
import dev.roost.server.metrics.ParkMetrics;
import dev.roost.server.park.conversation.Conversation;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Parks the idle connections of one server (`tls.park`). Thread-safe.
public final class Parking implements AutoCloseable {

  /// How long early parking may take to help.
  private static final long RELIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final ParkSettings settings;
  private final Duration idle;
  private final ParkMetrics metrics;
  private final Consumer<String> ended;
  private final HeapRoom room = new HeapRoom();
  private final boolean parks;
  private final Optional<BoringSecrets> secrets;
  private volatile boolean full;
  private final Map<EventLoop, Awake> awake = new ConcurrentHashMap<>();
  private final Map<Channel, ParkedSet> sets = new ConcurrentHashMap<>();

  /// @param idle silence after which it is closed, parked or not
  /// @param ended called with its protocol (`http1`, `http2`) when a connection has ended while it
  ///   was parked
  public Parking(
      ParkSettings settings, Duration idle, ParkMetrics metrics, Consumer<String> ended) {
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
    if (!parks
        || !(Connections.channel(connection) instanceof EpollSocketChannel channel)
        || !canBeKept(channel)) {
      return;
    }
    Conversation.on(connection).ifPresent(conversation -> watch(channel, conversation));
  }

  private void watch(EpollSocketChannel channel, Conversation conversation) {
    var port = channel.parent();
    sets.computeIfAbsent(port, this::open);
    channel
        .pipeline()
        .addFirst("parkable", new Parkable(channel, conversation, awake(channel.eventLoop())));
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

  void ended(String protocol) {
    ended.accept(protocol);
  }

  /// Time for what a woken connection has begun to say.
  Duration patience() {
    return idle;
  }

  /// Parks early on every loop; where that does not help for long, finds out what there is room
  /// for.
  ///
  /// @param sinceNanos when somebody began to wait for room
  void relieve(long sinceNanos) {
    awake.values().forEach(Awake::askForRoom);
    if (System.nanoTime() - sinceNanos > RELIEF_NANOS) {
      room.measure();
    }
  }

  /// Whether the heap has no room for more connections, and will have none soon: what is awake
  /// cannot be parked. New ones are refused then, a few at a time, until there is room.
  ///
  /// @param sinceNanos when somebody began to wait for room
  boolean isFull(long sinceNanos) {
    full = room.left(Accepting.TURN) <= 0 && (full || room.isKnownSince(sinceNanos + RELIEF_NANOS));
    return full;
  }

  /// Whether a new connection may stay.
  public boolean hasRoom() {
    return !full;
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
    if (connection.conversation.isUpgraded()) {
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
        && !SendTimeouts.isJudged(connection.channel)
        && connection.conversation.isIdle()
        && (!(connection.channel.pipeline().get(SslHandler.class) instanceof LeanTls lean)
            || lean.isIdle());
  }

  private static boolean canBeKept(Channel channel) {
    var tls = channel.pipeline().get(SslHandler.class);
    return tls == null || tls instanceof LeanTls || KeptSsl.isIn(tls.engine());
  }
}
