package dev.roost.server.flow;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayDeque;
import java.util.Deque;

/// What one slow client has not taken yet, kept so that no event loop ever waits for a socket.
/// Messages leave in the order they were offered. Confined to the event loop that owns `stream`.
///
/// @param <T> one whole message (an SSE event, a WebSocket message), never a fragment
public final class Outbox<T> {

  /// What one turn may write before it is flushed: only then does the stream tell how much of it
  /// the client takes, and whether it is full.
  private static final int UNFLUSHED_MESSAGES_MAX = 64;

  private static final long UNFLUSHED_BYTES_MAX = 64 << 10;

  private final WriteStream<?> stream;
  private final int messagesMax;
  private final Wire<T> wire;
  private final Deque<Parked<T>> parked = new ArrayDeque<>();
  private int unflushedMessages;
  private long unflushedBytes;
  private boolean blocked;
  private boolean closed;

  /// How messages leave.
  ///
  /// @param <T> one whole message
  public interface Wire<T> {
    /// Puts one message on the stream.
    Future<Void> write(T message);

    /// What it takes there, in bytes, roughly.
    long bytes(T message);

    /// Sends what was written, without waiting for the end of the turn.
    ///
    /// @return whether the client took enough of it to be sent more; the stream knows in a later
    ///   turn
    boolean flush();

    /// Runs `task` in a later turn of the loop.
    void later(Runnable task);
  }

  private record Parked<T>(T message, Promise<Void> written) {}

  /// @param stream tells when it is full and when it has drained; its drain handler becomes ours
  /// @param messagesMax most messages parked at once, 1..65,536
  /// @param wire how they leave
  public Outbox(WriteStream<?> stream, int messagesMax, Wire<T> wire) {
    if (messagesMax < 1 || messagesMax > 65_536) {
      throw new IllegalArgumentException(
          "messagesMax: %d is not in 1..65536".formatted(messagesMax));
    }
    this.stream = stream;
    this.messagesMax = messagesMax;
    this.wire = wire;
    stream.drainHandler(_ -> drain());
  }

  /// Sends now, or parks while the client is slow. Never blocks, never throws.
  ///
  /// @return completes when the message is written; fails with [Shed] at once when the outbox is
  ///   full: nothing was kept, count it and close
  public Future<Void> offer(T message) {
    if (closed) {
      return Future.failedFuture(new Shed(false));
    }
    if (parked.isEmpty() && !blocked && !isFull()) {
      return write(message);
    }
    if (closed) {
      return Future.failedFuture(new Shed(false));
    }
    if (parked.size() >= messagesMax) {
      return Future.failedFuture(new Shed(true));
    }
    var entry = new Parked<>(message, Promise.<Void>promise());
    parked.add(entry);
    return entry.written().future();
  }

  /// Messages parked now.
  public int size() {
    return parked.size();
  }

  /// Writes what is parked at once, however slow the client is: at most what the box holds. For the
  /// last words to a client.
  public void flush() {
    for (var entry = parked.poll(); entry != null; entry = parked.poll()) {
      write(entry.message()).onComplete(entry.written());
    }
  }

  /// Drops what is parked; each of its futures fails with [Shed].
  public void close() {
    closed = true;
    for (var entry = parked.poll(); entry != null; entry = parked.poll()) {
      entry.written().fail(new Shed(false));
    }
  }

  private Future<Void> write(T message) {
    var written = wire.write(message);
    unflushedMessages++;
    unflushedBytes += wire.bytes(message);
    if (unflushedMessages >= UNFLUSHED_MESSAGES_MAX || unflushedBytes >= UNFLUSHED_BYTES_MAX) {
      unflushedMessages = 0;
      unflushedBytes = 0;
      if (!wire.flush() && !blocked) {
        blocked = true;
        wire.later(this::unblock);
      }
    }
    return written;
  }

  /// A stream that has ended refuses the question: then nothing more is written.
  private boolean isFull() {
    try {
      return stream.writeQueueFull();
    } catch (IllegalStateException _) {
      close();
      return true;
    }
  }

  private void unblock() {
    blocked = false;
    drain();
  }

  private void drain() {
    while (!blocked && !isFull()) {
      var entry = parked.poll();
      if (entry == null) {
        return;
      }
      write(entry.message()).onComplete(entry.written());
    }
  }

  /// A message was dropped on purpose.
  public static final class Shed extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final boolean full;

    private Shed(boolean full) {
      super(full ? "the outbox is full" : "the client is gone", null, false, false);
      this.full = full;
    }

    /// A message that was not taken since too many wait.
    public static Shed tooSlow() {
      return new Shed(true);
    }

    /// Whether the client still was there and too slow.
    public boolean full() {
      return full;
    }
  }
}
