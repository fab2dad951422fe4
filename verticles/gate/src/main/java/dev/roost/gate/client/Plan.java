package dev.roost.gate.client;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a run goes about it.
///
/// @param target whom to ask for what
/// @param inFlightMax most connections between connect and first answer at once; 1 or more
/// @param warmUp connections opened and closed again before the idle memory is read; 0..1000
/// @param quiet time between the end of the warm-up and reading the idle memory
/// @param hold time the connections stay idle at each mark, when all are open, and after the rounds
/// @param loops event loops of the client; 1 or more
/// @param marks counts of open connections, besides half of all, at which memory is read
public record Plan(
    Target target,
    int inFlightMax,
    int warmUp,
    Duration quiet,
    Duration hold,
    int loops,
    List<Integer> marks) {
  public Plan {
    require(inFlightMax > 0, "in-flight", inFlightMax, "1 or more");
    require(warmUp >= 0 && warmUp <= 1000, "warm-up", warmUp, "0..1000");
    require(!quiet.isNegative(), "quiet-seconds", quiet, "0 or more");
    require(!hold.isNegative(), "hold-seconds", hold, "0 or more");
    require(loops > 0, "loops", loops, "1 or more");
    marks = List.copyOf(marks);
  }

  /// The counts of open connections at which memory is read, rising: the marks below `connections`,
  /// half of them, and all.
  public List<Integer> marksTo(int connections) {
    return Stream.concat(marks.stream(), Stream.of(connections / 2))
        .filter(mark -> mark > 0 && mark < connections)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(TreeSet::new),
                rising -> {
                  rising.add(connections);
                  return List.copyOf(rising);
                }));
  }

  private static void require(boolean holds, String name, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
    }
  }
}
