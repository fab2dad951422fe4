package dev.roost.gate.verdict;

import java.time.Duration;
import java.util.Map;

/// One opening of connections with a GET on each.
///
/// @param wanted connections that were to be opened
/// @param tally what became of them; the good ones are the established
/// @param took from the first connect to the last outcome, or until it was given up
public record RampFigures(int wanted, Tally tally, Duration took) {

  /// None yet.
  public static final RampFigures NONE = new RampFigures(0, new Tally(Map.of()), Duration.ZERO);

  /// Both, one after the other.
  public RampFigures and(RampFigures next) {
    return new RampFigures(wanted + next.wanted, tally.and(next.tally), took.plus(next.took));
  }

  /// Connections that finished the handshake and answered their GET well.
  public int established() {
    return tally.good();
  }
}
