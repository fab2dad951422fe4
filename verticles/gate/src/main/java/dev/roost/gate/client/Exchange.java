package dev.roost.gate.client;

import dev.roost.gate.verdict.Outcome;

/// Waits for the outcome of one request.
@FunctionalInterface
interface Exchange {
  /// Called once for each request, on the connection's event loop.
  void ended(HeldConnection connection, Outcome outcome);
}
