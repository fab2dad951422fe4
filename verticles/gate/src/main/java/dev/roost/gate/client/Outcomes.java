package dev.roost.gate.client;

import dev.roost.gate.verdict.Outcome;
import dev.roost.gate.verdict.Tally;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Counts the outcomes of a known number of requests, and lets one thread wait for the last.
/// Thread-safe.
final class Outcomes {
  private final int expected;
  private final CountDownLatch missing;
  private final Map<Outcome, Integer> counts = new ConcurrentHashMap<>();

  Outcomes(int expected) {
    this.expected = expected;
    this.missing = new CountDownLatch(expected);
  }

  void count(Outcome outcome) {
    counts.merge(outcome, 1, Integer::sum);
    missing.countDown();
  }

  /// Waits for the last outcome.
  ///
  /// @return false if `limit` passed before it came
  boolean await(Duration limit) throws InterruptedException {
    return missing.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// What was counted until now; what is missing is unanswered.
  Tally tally() {
    var tally = new HashMap<>(counts);
    int counted = tally.values().stream().mapToInt(Integer::intValue).sum();
    if (counted < expected) {
      tally.merge(Outcome.UNANSWERED, expected - counted, Integer::sum);
    }
    return new Tally(tally);
  }
}
