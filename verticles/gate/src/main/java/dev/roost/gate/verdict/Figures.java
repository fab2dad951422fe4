package dev.roost.gate.verdict;

import java.util.List;

/// All that one run measured.
///
/// @param warmUp the opening before the idle memory was read
/// @param ramp the opening of the connections that were then held
/// @param idle what happened on connections without an open request
/// @param rounds those that were run: none if the ramp did not end in time
/// @param memory the server's
public record Figures(
    RampFigures warmUp,
    RampFigures ramp,
    IdleFigures idle,
    List<RoundFigures> rounds,
    MemoryFigures memory) {
  public Figures {
    rounds = List.copyOf(rounds);
  }

  /// Connections still open when the held memory was read.
  public int openWhenHeld() {
    return memory.held().map(Held::open).orElse(0);
  }
}
