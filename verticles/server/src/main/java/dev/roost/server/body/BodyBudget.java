package dev.roost.server.body;

import dev.roost.server.metrics.ServerMetrics;
import java.util.concurrent.atomic.AtomicLong;

/// The bytes of request bodies that are held in memory at once, by all loops together: a quarter of
/// the heap, so that unfinished uploads cannot fill it. What counts is what has come, not what was
/// announced; the request whose bytes find no room is refused with 503. Thread-safe.
public final class BodyBudget {

  private static final int SHARE_OF_HEAP = 4;

  private final long bytesMax;
  private final ServerMetrics metrics;
  private final AtomicLong held = new AtomicLong();

  public BodyBudget(ServerMetrics metrics) {
    this(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, metrics);
  }

  /// @param bytesMax bytes that may be held at once
  BodyBudget(long bytesMax, ServerMetrics metrics) {
    this.bytesMax = bytesMax;
    this.metrics = metrics;
    metrics.bodiesHeld(held::get);
  }

  /// Whether a body of so many bytes would find room if it were alone.
  boolean couldHold(long bytes) {
    return bytes <= bytesMax;
  }

  /// Takes room for so many bytes more.
  ///
  /// @return false if there is none, and nothing was taken
  boolean take(long bytes) {
    if (held.addAndGet(bytes) <= bytesMax) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  /// Gives room back.
  ///
  /// @param bytes as many as were taken, at most
  void give(long bytes) {
    held.addAndGet(-bytes);
  }

  /// A request was refused for want of room.
  void refused() {
    metrics.bodyRefused();
  }
}
