package dev.roost.gate.verdict;

import java.util.List;
import java.util.OptionalLong;

/// All that one run measured.
///
/// @param warmUp the opening before the idle memory was read
/// @param ramp the opening of the connections that were then held
/// @param openWhenHeld connections still open when the held memory was read
/// @param idle what happened on connections without an open request
/// @param rounds those that were run: none if the ramp did not end in time
/// @param memory the server's
public record Figures(
    RampFigures warmUp,
    RampFigures ramp,
    int openWhenHeld,
    IdleFigures idle,
    List<RoundFigures> rounds,
    MemoryFigures memory) {
  public Figures {
    rounds = List.copyOf(rounds);
  }

  /// See [MemoryFigures#bytesPerConnection].
  public OptionalLong bytesPerConnection() {
    return memory.bytesPerConnection(openWhenHeld);
  }
}
