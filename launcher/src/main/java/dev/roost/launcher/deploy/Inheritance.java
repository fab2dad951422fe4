package dev.roost.launcher.deploy;

import dev.roost.server.listen.InheritedPort;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.relay.Relay;
import dev.roost.server.tls.Tickets;
import java.util.function.Consumer;

/// What a worker process has from its supervisor, which stands on the [Ground] for all of them, and
/// what it owes it.
///
/// @param port where it accepts connections
/// @param first whether it does what only one process may do
/// @param ties to the other workers
/// @param counting takes what is counted, when that begins
/// @param counted takes it when nothing more will be
public record Inheritance(
    InheritedPort port,
    boolean first,
    Ties ties,
    Consumer<ServerMetrics> counting,
    Consumer<ServerMetrics> counted) {

  /// What all workers have in common.
  ///
  /// @param tickets the supervisor provides their keys
  /// @param relay by way of the supervisor
  public record Ties(Tickets tickets, Relay relay) {}
}
