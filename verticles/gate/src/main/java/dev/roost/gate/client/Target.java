package dev.roost.gate.client;

import dev.roost.gate.protocol.Asking;
import java.util.List;
import java.util.Optional;

/// Whom the connections go to, and what they ask.
///
/// @param addresses addresses of the server that the connections are spread over; each has
///   ephemeral ports of its own
/// @param source the address they come from; empty leaves it to the kernel
/// @param port the server's TCP port, 1..65535
public record Target(List<String> addresses, Optional<String> source, int port, Asking asking) {
  public Target {
    addresses = List.copyOf(addresses);
    require(!addresses.isEmpty(), "addresses", addresses, "at least one");
    require(port > 0 && port <= 65_535, "port", port, "1..65535");
  }

  private static void require(boolean holds, String name, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
    }
  }
}
