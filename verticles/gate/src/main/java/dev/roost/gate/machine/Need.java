package dev.roost.gate.machine;

/// What a run asks of the machine.
///
/// @param connections held at once
/// @param clients processes that hold them; 1 or more
/// @param processes of the server that share them; 1 or more
/// @param paths pairs of source and destination address, each with ephemeral ports of its own
public record Need(int connections, int clients, int processes, long paths) {
  /// Of the client, of both sockets in the kernel, and of a server with room to fail its gate; as
  /// measured (docs/guides/density.md), rounded up.
  private static final long BYTES_PER_CONNECTION = 24_000;

  /// Of each process before its first connection.
  private static final long BYTES_PER_PROCESS = 100_000_000;

  public Need {
    require(clients > 0, "clients", clients);
    require(processes > 0, "processes", processes);
  }

  /// Memory for all of it; it only keeps a machine from swapping, so roughly.
  public long memoryBytes() {
    return BYTES_PER_CONNECTION * connections + BYTES_PER_PROCESS * (clients + processes);
  }

  private static void require(boolean holds, String name, int value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is 1 or more");
    }
  }
}
