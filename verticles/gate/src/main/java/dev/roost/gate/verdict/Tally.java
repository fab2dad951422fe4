package dev.roost.gate.verdict;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/// How many requests had which outcome. Immutable; outcomes that never happened are absent.
public record Tally(Map<Outcome, Integer> counts) {
  public Tally {
    counts = Map.copyOf(counts);
  }

  /// The sum of both.
  public Tally and(Tally other) {
    var sum = new EnumMap<Outcome, Integer>(Outcome.class);
    sum.putAll(counts);
    other.counts.forEach((outcome, count) -> sum.merge(outcome, count, Integer::sum));
    return new Tally(sum);
  }

  /// All that ended well.
  public int good() {
    return counts.getOrDefault(Outcome.GOOD, 0);
  }

  /// Each outcome but the good one with its count, as in `3 answered another body, 1 not answered
  /// in time`; empty if all was good.
  public String faults() {
    return inOrder().entrySet().stream()
        .filter(entry -> entry.getKey() != Outcome.GOOD)
        .map(entry -> entry.getValue() + " " + entry.getKey().words())
        .collect(Collectors.joining(", "));
  }

  /// The counts in the order of [Outcome].
  public Map<Outcome, Integer> inOrder() {
    var ordered = new EnumMap<Outcome, Integer>(Outcome.class);
    ordered.putAll(counts);
    return ordered;
  }
}
