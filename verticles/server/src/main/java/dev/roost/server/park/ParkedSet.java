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
import io.netty.channel.epoll.EpollSocketChannel;
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
    var http2 = connection.conversation.kept().orElse(null);
    var detached = detach(channel);
    if (detached.isEmpty()) {
      return false;
    }
    Connections.parks(channel);
    var tls = channel.pipeline().get(SslHandler.class);
    var state = tls == null ? KeptSsl.NONE : stateOf(tls);
    var kept = new Kept(state, Connections.serverName(channel), http2);
    try {
      if (tls != null) {
        channel.pipeline().remove(tls); // else it would say goodbye
      }
      channel.unsafe().close(channel.unsafe().voidPromise());
    } catch (RuntimeException failure) {
      LOG.log(Level.WARNING, "a connection that is parked", failure); // what is kept is whole
    }
    keep(set, detached.get(), kept, connection.touchedNanos);
    return true;
  }

  /// New connections may not take the last of it: whoever is parked was here before them.
  @Override
  public int room() {
    return parking.room().left(-HeapRoom.LEAST);
  }

  @Override
  public void full() {
    metrics.wakesDelayed();
    awaitRoom(System.nanoTime());
  }

  private void awaitRoom(long sinceNanos) {
    parking.relieve(sinceNanos);
    var _ = port.eventLoop().schedule(() -> resume(sinceNanos), 2, TimeUnit.MILLISECONDS);
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
    var read = lastWords.of(socket, kept.get());
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

  private static Optional<Integer> detach(EpollSocketChannel channel) {
    try {
      return DetachedSocket.from(channel);
    } catch (Exception failure) {
      LOG.log(Level.WARNING, "a connection could not be parked: {0}", failure.toString());
      channel.unsafe().close(channel.unsafe().voidPromise());
      return Optional.empty();
    }
  }

  private void keep(NestedEpoll set, int socket, Kept kept, long since) {
    metrics.parked();
    try {
      synchronized (table) { // nobody closes the socket between the two
        table.put(socket, kept, since);
        set.add(socket);
      }
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
    Connections.wakes(channel.get(), kept.serverName(), () -> parking.ended(kept.protocol()));
    Woken.prepare(channel.get(), kept, read, parking.patience());
    port.pipeline().fireChannelRead(channel.get());
  }

  private void resume(long sinceNanos) {
    var set = epoll;
    if (set == null || closed) {
      return;
    }
    if (room() > 0) {
      set.resume();
    } else {
      awaitRoom(sinceNanos);
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
      lastWords.sayGoodbye(socket, kept.get());
      end(socket, kept.get(), reason);
    }
  }

  private void end(int socket, Kept kept, ParkMetrics.Reason reason) {
    lastWords.close(socket);
    if (!kept.tls().equals(KeptSsl.NONE)) {
      kept.tls().free();
    }
    metrics.ended(reason);
    parking.ended(kept.protocol());
  }
}
