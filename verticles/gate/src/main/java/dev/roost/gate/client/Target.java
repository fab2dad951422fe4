package dev.roost.gate.client;

import java.util.List;

/// What is asked, and which answer is right.
///
/// @param addresses loopback addresses the connections are spread over; each has ephemeral ports of
///   its own
/// @param port the server's TCP port, 1..65535
/// @param path what is asked for, starting with `/`
/// @param body the expected body, UTF-8
public record Target(List<String> addresses, int port, String path, String body) {
  public Target {
    addresses = List.copyOf(addresses);
    require(!addresses.isEmpty(), "addresses", addresses, "at least one");
    require(port > 0 && port <= 65_535, "port", port, "1..65535");
    require(path.startsWith("/"), "path", path, "a path that starts with /");
  }

  private static void require(boolean holds, String name, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
    }
  }
}
