package dev.roost.gate.verdict;

import java.time.Duration;

/// One round: a GET written on every connection before any answer was read.
///
/// @param tally what became of the requests
/// @param early answers that were read before all requests were written; anything but 0 means that
///   the client broke its own promise
/// @param took from the first write to the last outcome, or until the round was given up
public record RoundFigures(Tally tally, int early, Duration took) {

  /// Good answers per second of the whole round, the writing included.
  public double answersPerSecond() {
    return took.isZero() ? 0 : tally.good() * 1e9 / took.toNanos();
  }
}
