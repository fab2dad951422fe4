package dev.roost.server.park;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The awake connections of one event loop, the one that did something last at the end. Confined to
/// it.
final class Awake {

  /// Connections that one turn of the loop parks at most: a few milliseconds.
  private static final int TURN = 64;

  private static final long SWEEP_MILLIS = 100;

  /// Time between two times that room is made.
  private static final long RELIEF_MILLIS = 5;

  private final EventLoop loop;
  private final long afterNanos;
  private final Predicate<Parkable> park;
  private @Nullable Parkable head;
  private @Nullable Parkable tail;
  private int size;
  private boolean scheduled;
  private final AtomicBoolean asked = new AtomicBoolean();

  /// @param afterNanos silence after which one is parked
  /// @param park parks it, if it is idle
  Awake(EventLoop loop, long afterNanos, Predicate<Parkable> park) {
    this.loop = loop;
    this.afterNanos = afterNanos;
    this.park = park;
  }

  /// It does something.
  void touch(Parkable connection) {
    connection.touchedNanos = System.nanoTime();
    if (tail == connection) {
      return;
    }
    remove(connection);
    connection.previous = tail;
    if (tail == null) {
      head = connection;
    } else {
      tail.next = connection;
    }
    tail = connection;
    size++;
    schedule(SWEEP_MILLIS);
  }

  void remove(Parkable connection) {
    if (connection.previous == null && head != connection) {
      return;
    }
    if (connection.previous == null) {
      head = connection.next;
    } else {
      connection.previous.next = connection.next;
    }
    if (connection.next == null) {
      tail = connection.previous;
    } else {
      connection.next.previous = connection.previous;
    }
    connection.previous = null;
    connection.next = null;
    size--;
  }

  /// Others need room: parks those idle for longest, however short that is. Thread-safe.
  void askForRoom() {
    if (asked.compareAndSet(false, true)) {
      loop.execute(this::relieve);
    }
  }

  private void relieve() {
    park(Math.max(1, size / 2), System.nanoTime());
    var _ = loop.schedule(() -> asked.set(false), RELIEF_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    scheduled = false;
    var more = park(size, System.nanoTime() - afterNanos);
    if (head != null) {
      schedule(more ? 1 : SWEEP_MILLIS);
    }
  }

  /// Looks at no more than `most` that did nothing since `nanos`.
  ///
  /// @return whether there may be more of them
  private boolean park(int most, long nanos) {
    var parked = 0;
    for (var looked = 0; looked < most; looked++) {
      var oldest = head;
      if (oldest == null || oldest.touchedNanos - nanos > 0) {
        return false;
      }
      if (park.test(oldest)) {
        parked++;
      } else {
        touch(oldest); // it is busy, or will never be idle
      }
      if (parked == TURN) {
        return true;
      }
    }
    return false;
  }

  private void schedule(long millis) {
    if (!scheduled) {
      scheduled = true;
      var _ = loop.schedule(this::sweep, millis, TimeUnit.MILLISECONDS);
    }
  }
}
