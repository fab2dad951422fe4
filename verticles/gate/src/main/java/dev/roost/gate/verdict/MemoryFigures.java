package dev.roost.gate.verdict;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Resident memory plus swap of the server's process tree, in bytes; empty where the process was
/// gone.
///
/// @param idle after the warm-up's connections were closed and a quiet time
/// @param marks on the way to all connections, each after a hold; half of them is always one
/// @param held with all connections open, at the end of the hold; empty if it did not come so far
/// @param afterRounds right after each round that was run
/// @param settled after the rounds and one more hold
/// @param highest of all samples from the idle one to the settled one
public record MemoryFigures(
    OptionalLong idle,
    List<Held> marks,
    Optional<Held> held,
    List<OptionalLong> afterRounds,
    Optional<Held> settled,
    OptionalLong highest) {
  public MemoryFigures {
    marks = List.copyOf(marks);
    afterRounds = List.copyOf(afterRounds);
  }

  /// Of a run that did not come to hold all connections.
  public static MemoryFigures unheld(OptionalLong idle, List<Held> marks, OptionalLong highest) {
    return new MemoryFigures(idle, marks, Optional.empty(), List.of(), Optional.empty(), highest);
  }

  /// Held minus idle over the open connections; see [Held#bytesPerConnectionSince].
  public OptionalLong bytesPerConnection() {
    return sinceIdle(held);
  }

  /// The same after the rounds and a hold.
  public OptionalLong bytesPerConnectionAfterRounds() {
    return sinceIdle(settled);
  }

  /// What each connection beyond `mark` has cost.
  public OptionalLong marginalBytesSince(Held mark) {
    return held.map(all -> all.bytesPerConnectionSince(mark)).orElse(OptionalLong.empty());
  }

  private OptionalLong sinceIdle(Optional<Held> then) {
    var none = new Held(0, idle, OptionalLong.empty());
    return then.map(some -> some.bytesPerConnectionSince(none)).orElse(OptionalLong.empty());
  }
}
