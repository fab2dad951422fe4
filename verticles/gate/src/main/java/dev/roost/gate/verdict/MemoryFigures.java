package dev.roost.gate.verdict;

import java.util.List;
import java.util.OptionalLong;

/// Resident memory plus swap of the server's process tree, in bytes; empty where the process was
/// gone.
///
/// @param idle after the warm-up's connections were closed and a quiet time
/// @param held with all connections open, at the end of the hold
/// @param afterRounds after each round that was run
public record MemoryFigures(OptionalLong idle, OptionalLong held, List<OptionalLong> afterRounds) {
  public MemoryFigures {
    afterRounds = List.copyOf(afterRounds);
  }

  /// Held minus idle over the open connections, rounded up; empty if any of them is missing. It is
  /// negative when the server gave more back than the connections cost.
  public OptionalLong bytesPerConnection(int open) {
    if (open == 0 || idle.isEmpty() || held.isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Math.ceilDiv(held.getAsLong() - idle.getAsLong(), open));
  }
}
