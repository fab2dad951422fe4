package dev.roost.server.health;

import java.util.concurrent.atomic.AtomicReference;

/// What a probe is told. Thread-safe.
public final class Health {

  /// Where in its life the server is.
  public enum Phase {
    STARTING,
    READY,
    DRAINING
  }

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

  /// Moves on; never back.
  public void enter(Phase next) {
    phase.updateAndGet(now -> next.compareTo(now) > 0 ? next : now);
  }

  /// Whether the server has started, even if it is stopping by now.
  public boolean started() {
    return phase.get() != Phase.STARTING;
  }

  /// Whether it wants new traffic.
  public boolean ready() {
    return phase.get() == Phase.READY;
  }
}
