package dev.roost.gate.client;

import java.time.Duration;

/// How a run goes about it.
///
/// @param target whom to ask for what
/// @param inFlightMax most connections between connect and first answer at once; 1 or more
/// @param warmUp connections opened and closed again before the idle memory is read; 0..1000
/// @param quiet time between the end of the warm-up and reading the idle memory
/// @param hold time the connections stay idle
/// @param loops event loops of the client; 1 or more
public record Plan(
    Target target, int inFlightMax, int warmUp, Duration quiet, Duration hold, int loops) {
  public Plan {
    require(inFlightMax > 0, "in-flight", inFlightMax, "1 or more");
    require(warmUp >= 0 && warmUp <= 1000, "warm-up", warmUp, "0..1000");
    require(!quiet.isNegative(), "quiet-seconds", quiet, "0 or more");
    require(!hold.isNegative(), "hold-seconds", hold, "0 or more");
    require(loops > 0, "loops", loops, "1 or more");
  }

  private static void require(boolean holds, String name, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
    }
  }
}
