package dev.roost.gate.verdict;

import java.time.Duration;

/// What a run must keep to pass.
///
/// @param connections how many must be established; 1 or more
/// @param rampMax longest time the ramp may take
/// @param roundMax longest time one round may take
/// @param rounds how many rounds must be answered; 1 or more
/// @param memory how much the server may take
public record Limits(
    int connections, Duration rampMax, Duration roundMax, int rounds, Memory memory) {

  /// How much the server may take with all connections held, in bytes of resident memory and swap.
  ///
  /// @param perConnectionMax most for one open connection, above what it takes when idle
  /// @param afterRoundsMax the same after the rounds and one more hold
  /// @param totalMax most for the whole process tree: a heap that was touched in advance counts
  public record Memory(long perConnectionMax, long afterRoundsMax, long totalMax) {
    /// A figure that is only reported has this limit.
    public static final long NONE = Long.MAX_VALUE;

    public Memory {
      require(perConnectionMax > 0, "bytes-max", perConnectionMax);
      require(afterRoundsMax > 0, "bytes-after-max", afterRoundsMax);
      require(totalMax > 0, "total-bytes-max", totalMax);
    }
  }

  public Limits {
    require(connections > 0, "connections", connections);
    require(rampMax.isPositive(), "ramp-seconds-max", rampMax);
    require(roundMax.isPositive(), "round-seconds-max", roundMax);
    require(rounds > 0, "rounds", rounds);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + " but must be above 0");
    }
  }
}
