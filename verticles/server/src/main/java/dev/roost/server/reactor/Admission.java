package dev.roost.server.reactor;

import dev.roost.server.metrics.ServerMetrics;
import java.util.concurrent.atomic.AtomicInteger;

/// How many connections the process holds, over all its loops. Thread-safe.
public final class Admission {

  private final int connectionsMax;
  private final ServerMetrics metrics;
  private final AtomicInteger held = new AtomicInteger();

  /// @param connectionsMax connections held at once
  public Admission(int connectionsMax, ServerMetrics metrics) {
    this.connectionsMax = connectionsMax;
    this.metrics = metrics;
  }

  /// Takes in one more connection, or counts it as refused.
  ///
  /// @param room whether there is, as far as others know
  /// @return whether there was room; then [#left] must follow when it closes
  public boolean enter(boolean room) {
    if (held.incrementAndGet() <= connectionsMax && room) {
      return true;
    }
    held.decrementAndGet();
    metrics.connectionRefused();
    return false;
  }

  /// A connection that was let in has closed.
  public void left() {
    held.decrementAndGet();
  }
}
