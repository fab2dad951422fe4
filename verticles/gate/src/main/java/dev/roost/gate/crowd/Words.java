package dev.roost.gate.crowd;

import dev.roost.gate.verdict.IdleFigures;
import dev.roost.gate.verdict.Outcome;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import dev.roost.gate.verdict.Tally;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.stream.Collectors;

/// Figures as one line of words between a client process and its leader: the same version on both
/// sides, so no more than both need.
final class Words {
  private Words() {}

  static String of(RampFigures ramp) {
    return "%d %d %s".formatted(ramp.wanted(), ramp.took().toNanos(), of(ramp.tally()));
  }

  static RampFigures ramp(String line) {
    var words = split(line);
    return new RampFigures(
        Integer.parseInt(words.get(0)), tally(words.subList(2, words.size())), nanos(words.get(1)));
  }

  static String of(RoundFigures round) {
    return "%d %d %s".formatted(round.early(), round.took().toNanos(), of(round.tally()));
  }

  static RoundFigures round(String line) {
    var words = split(line);
    return new RoundFigures(
        tally(words.subList(2, words.size())), Integer.parseInt(words.get(0)), nanos(words.get(1)));
  }

  static String of(IdleFigures idle) {
    return idle.dropped() + " " + idle.disturbed();
  }

  static IdleFigures idle(String line) {
    var words = split(line);
    return new IdleFigures(Integer.parseInt(words.get(0)), Integer.parseInt(words.get(1)));
  }

  static Duration nanos(String word) {
    return Duration.ofNanos(Long.parseLong(word));
  }

  static List<String> split(String line) {
    return List.of(line.strip().split(" ", -1));
  }

  private static String of(Tally tally) {
    return tally.inOrder().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private static Tally tally(List<String> words) {
    var counts = new EnumMap<Outcome, Integer>(Outcome.class);
    for (String word : words) {
      int equals = word.indexOf('=');
      counts.put(
          Outcome.valueOf(word.substring(0, equals)), Integer.parseInt(word.substring(equals + 1)));
    }
    return new Tally(counts);
  }
}
