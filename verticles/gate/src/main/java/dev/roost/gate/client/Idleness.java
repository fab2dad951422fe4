package dev.roost.gate.client;

import dev.roost.gate.verdict.IdleFigures;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what must not happen on connections without an open request. Thread-safe.
final class Idleness {
  private final AtomicInteger dropped = new AtomicInteger();
  private final AtomicInteger disturbed = new AtomicInteger();

  void dropped() {
    dropped.incrementAndGet();
  }

  void disturbed() {
    disturbed.incrementAndGet();
  }

  IdleFigures figures() {
    return new IdleFigures(dropped.get(), disturbed.get());
  }
}
