package dev.roost.server.park;

import dev.roost.server.guard.Connections;
import dev.roost.server.metrics.ParkMetrics;
import dev.roost.server.park.ParkedTable.Kept;
import dev.roost.server.park.lean.LeanTls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.DetachedSocket;
import io.netty.channel.epoll.NestedEpoll;
import io.netty.handler.ssl.KeptSsl;
import io.netty.handler.ssl.KeptTls;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The parked connections of one listening port. Its own work is done on the loop that accepts.
final class ParkedSet implements NestedEpoll.Listener {

  private static final Logger LOG = System.getLogger(ParkedSet.class.getName());

  private static final long SWEEP_SECONDS = 1;

  private final Channel port;
  private final Parking parking;
  private final ParkMetrics metrics;
  private final long idleNanos;
  private final ParkedTable table = new ParkedTable();
  private final LastWords lastWords = new LastWords();
  private final Optional<LeanSweep> lean;
  private volatile @Nullable NestedEpoll epoll;
  private volatile boolean closed;

  /// @param port the server channel
  /// @param idle silence after which a parked connection is closed
  ParkedSet(Channel port, Parking parking, ParkMetrics metrics, Duration idle) {
    this.port = port;
    this.parking = parking;
    this.metrics = metrics;
    this.idleNanos = idle.toNanos();
    this.lean = parking.secrets().map(found -> new LeanSweep(this, table, parking, found));
    NestedEpoll.on((IoEventLoop) port.eventLoop(), this)
        .whenComplete(
            (made, failure) -> {
              if (failure != null) {
                LOG.log(
                    Level.WARNING, "tls.park: connections are not parked: {0}", failure.toString());
              } else {
                opened(made);
              }
            });
    port.closeFuture().addListener(_ -> close());
  }

  /// Parks a connection that is idle. Called on its event loop.
  ///
  /// @return false if it stays awake
  boolean park(Parkable connection) {
    var set = epoll;
    if (set == null || closed) {
      return false;
    }
    var channel = connection.channel;
    var tls = channel.pipeline().get(SslHandler.class);
    try {
      var detached = DetachedSocket.from(channel);
      if (detached.isEmpty()) {
        return false;
      }
      var name = Connections.serverName(channel);
      Connections.parks(channel);
      var kept = new Kept(tls == null ? KeptSsl.NONE : stateOf(tls), name);
      if (tls != null) {
        channel.pipeline().remove(tls); // else it would say goodbye
      }
      channel.unsafe().close(channel.unsafe().voidPromise());
      keep(set, detached.get(), kept, connection.touchedNanos);
      return true;
    } catch (Exception failure) {
      LOG.log(Level.WARNING, "a connection could not be parked: {0}", failure.toString());
      channel.unsafe().close(channel.unsafe().voidPromise());
      return true;
    }
  }

  @Override
  public int room() {
    return parking.room().left(0);
  }

  @Override
  public void full() {
    metrics.wakesDelayed();
    parking.relieve();
    var _ = port.eventLoop().schedule(this::resume, 2, TimeUnit.MILLISECONDS);
  }

  @Override
  public void ready(int socket, boolean ended) {
    var kept = table.take(socket);
    if (kept.isEmpty()) {
      return;
    }
    if (!ended) {
      wake(socket, kept.get(), Unpooled.EMPTY_BUFFER);
      return;
    }
    var read = lastWords.of(socket);
    if (read.isPresent()) {
      wake(socket, kept.get(), read.get());
    } else {
      end(socket, kept.get(), ParkMetrics.Reason.PEER);
    }
  }

  int size() {
    return table.size();
  }

  int leanSize() {
    return table.leanSize();
  }

  EventLoop loop() {
    return port.eventLoop();
  }

  boolean isClosed() {
    return closed;
  }

  /// One that is parked cannot go on.
  void lose(int socket) {
    table.take(socket).ifPresent(lost -> end(socket, lost, ParkMetrics.Reason.FAILED));
  }

  /// Closes all of them.
  void close() {
    closed = true;
    if (port.eventLoop().inEventLoop()) {
      closeAll();
    } else {
      port.eventLoop().execute(this::closeAll);
    }
  }

  private void opened(NestedEpoll made) {
    epoll = made;
    if (closed) {
      closeAll();
    } else {
      sweep();
      lean.ifPresent(LeanSweep::start);
    }
  }

  private static KeptTls stateOf(SslHandler tls) {
    return tls instanceof LeanTls lean ? lean.kept() : KeptSsl.from(tls.engine());
  }

  private void keep(NestedEpoll set, int socket, Kept kept, long since) {
    table.put(socket, kept, since);
    metrics.parked();
    try {
      set.add(socket);
    } catch (IOException failure) {
      LOG.log(Level.WARNING, "a parked connection is lost: {0}", failure.getMessage());
      lose(socket);
    }
    if (closed) {
      close();
    }
  }

  private void wake(int socket, Kept kept, ByteBuf read) {
    var channel = DetachedSocket.in(port, socket);
    if (channel.isEmpty()) {
      end(socket, kept, ParkMetrics.Reason.PEER);
      return;
    }
    metrics.woken();
    Connections.wakes(channel.get(), kept.serverName());
    Woken.prepare(channel.get(), kept.tls(), read);
    Woken.onLoss(channel.get(), () -> ended(ParkMetrics.Reason.PEER));
    port.pipeline().fireChannelRead(channel.get());
  }

  private void resume() {
    var set = epoll;
    if (set == null || closed) {
      return;
    }
    if (room() > 0) {
      set.resume();
    } else {
      full();
    }
  }

  private void sweep() {
    if (closed) {
      return;
    }
    table.before(System.nanoTime() - idleNanos, socket -> drop(socket, ParkMetrics.Reason.IDLE));
    var _ = port.eventLoop().schedule(this::sweep, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  private void closeAll() {
    table.all(socket -> drop(socket, ParkMetrics.Reason.SHUTDOWN));
    var set = epoll;
    if (set != null) {
      try {
        set.close();
      } catch (Exception failure) {
        LOG.log(Level.WARNING, "the set of parked connections: {0}", failure.toString());
      }
    }
  }

  private void drop(int socket, ParkMetrics.Reason reason) {
    var kept = table.take(socket);
    if (kept.isPresent()) {
      lastWords.sayGoodbye(socket, kept.get().tls());
      end(socket, kept.get(), reason);
    }
  }

  private void end(int socket, Kept kept, ParkMetrics.Reason reason) {
    lastWords.close(socket);
    if (!kept.tls().equals(KeptSsl.NONE)) {
      kept.tls().free();
    }
    ended(reason);
  }

  private void ended(ParkMetrics.Reason reason) {
    metrics.ended(reason);
    parking.ended();
  }
}
