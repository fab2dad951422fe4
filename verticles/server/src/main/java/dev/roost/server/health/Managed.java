package dev.roost.server.health;

import io.vertx.core.Future;

/// What the management port tells of, and acts on: one process, or several under a supervisor.
/// Thread-safe.
public interface Managed {

  /// Whether it has started, even if it is stopping by now.
  boolean started();

  /// Whether it wants new traffic.
  boolean ready();

  /// Everything that is counted, in Prometheus' text format.
  Future<String> metrics();

  /// Asks for an orderly end, as SIGTERM does.
  void drain();

  /// Replaces the processes one by one, without losing a connection that comes meanwhile.
  ///
  /// @return completes at the end, with a line that says what was done; fails with [ReloadRefusal]
  ///   if it cannot begin
  Future<String> reload();
}
