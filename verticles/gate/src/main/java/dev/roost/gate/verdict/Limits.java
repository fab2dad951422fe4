package dev.roost.gate.verdict;

import java.time.Duration;

/// What a run must keep to pass.
///
/// @param connections how many must be established; 1 or more
/// @param rampMax longest time the ramp may take
/// @param roundMax longest time one round may take
/// @param rounds how many rounds must be answered; 1 or more
/// @param bytesPerConnectionMax most server memory for one open connection, in bytes
public record Limits(
    int connections, Duration rampMax, Duration roundMax, int rounds, long bytesPerConnectionMax) {
  public Limits {
    require(connections > 0, "connections", connections);
    require(rampMax.isPositive(), "ramp-seconds-max", rampMax);
    require(roundMax.isPositive(), "round-seconds-max", roundMax);
    require(rounds > 0, "rounds", rounds);
    require(bytesPerConnectionMax > 0, "bytes-max", bytesPerConnectionMax);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + " but must be above 0");
    }
  }
}
