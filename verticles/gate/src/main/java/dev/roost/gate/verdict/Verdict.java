package dev.roost.gate.verdict;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// PASS or FAIL, with one sentence for each limit that was not kept.
///
/// @param reasons why it failed; empty means PASS
public record Verdict(List<String> reasons) {
  public Verdict {
    reasons = List.copyOf(reasons);
  }

  /// Whether every limit was kept.
  public boolean passed() {
    return reasons.isEmpty();
  }

  /// Judges `figures` by `limits`, and by nothing else.
  public static Verdict of(Figures figures, Limits limits) {
    var reasons = new ArrayList<String>();
    judgeWarmUp(figures.warmUp(), reasons);
    judgeRamp(figures.ramp(), limits, reasons);
    judgeIdle(figures.idle(), reasons);
    for (int index = 0; index < limits.rounds(); index++) {
      judgeRound(index, figures.rounds(), limits, reasons);
    }
    judgeMemory(figures.memory(), limits.memory(), reasons);
    return new Verdict(reasons);
  }

  private static void judgeWarmUp(RampFigures warmUp, List<String> reasons) {
    if (warmUp.established() < warmUp.wanted()) {
      reasons.add(
          "warm-up: %d of %d answered (%s), so the idle memory is that of a cold server"
              .formatted(warmUp.established(), warmUp.wanted(), warmUp.tally().faults()));
    }
  }

  private static void judgeRamp(RampFigures ramp, Limits limits, List<String> reasons) {
    if (ramp.established() < limits.connections()) {
      reasons.add(
          "ramp: %d of %d established (%s)"
              .formatted(ramp.established(), limits.connections(), ramp.tally().faults()));
    }
    if (ramp.took().compareTo(limits.rampMax()) > 0) {
      reasons.add(
          "ramp: took %s, allowed are %s"
              .formatted(seconds(ramp.took()), seconds(limits.rampMax())));
    }
  }

  private static void judgeIdle(IdleFigures idle, List<String> reasons) {
    if (idle.dropped() > 0) {
      reasons.add("hold: %d connections dropped while idle".formatted(idle.dropped()));
    }
    if (idle.disturbed() > 0) {
      reasons.add("hold: %d connections sent unexpected bytes".formatted(idle.disturbed()));
    }
  }

  private static void judgeRound(
      int index, List<RoundFigures> rounds, Limits limits, List<String> reasons) {
    int number = index + 1;
    if (index >= rounds.size()) {
      reasons.add("round %d: was not run".formatted(number));
      return;
    }
    RoundFigures round = rounds.get(index);
    if (round.tally().good() < limits.connections()) {
      reasons.add(
          "round %d: %d of %d answered well (%s)"
              .formatted(
                  number, round.tally().good(), limits.connections(), round.tally().faults()));
    }
    if (round.took().compareTo(limits.roundMax()) > 0) {
      reasons.add(
          "round %d: took %s, allowed are %s"
              .formatted(number, seconds(round.took()), seconds(limits.roundMax())));
    }
    if (round.early() > 0) {
      reasons.add(
          "round %d: %d answers were read before all requests were written"
              .formatted(number, round.early()));
    }
  }

  private static void judgeMemory(
      MemoryFigures memory, Limits.Memory limits, List<String> reasons) {
    OptionalLong each = memory.bytesPerConnection();
    if (each.isEmpty()) {
      reasons.add("memory: not measured; no connection was held, or the process was gone");
      return;
    }
    judgeBytes(each, limits.perConnectionMax(), "per open connection", reasons);
    for (Held mark : memory.marks()) {
      var words = "for each connection after the first %d".formatted(mark.open());
      judgeBytes(memory.marginalBytesSince(mark), limits.perConnectionMax(), words, reasons);
    }
    judgeTotal(memory.held(), limits.totalMax(), "with the connections held", reasons);
    judgeSettled(memory, limits, reasons);
  }

  private static void judgeSettled(
      MemoryFigures memory, Limits.Memory limits, List<String> reasons) {
    if (limits.afterRoundsMax() == Limits.Memory.NONE) {
      return;
    }
    OptionalLong each = memory.bytesPerConnectionAfterRounds();
    if (each.isEmpty()) {
      reasons.add("memory: not measured after the rounds");
    }
    judgeBytes(each, limits.afterRoundsMax(), "per open connection after the rounds", reasons);
    judgeTotal(memory.settled(), limits.totalMax(), "after the rounds", reasons);
  }

  private static void judgeBytes(OptionalLong bytes, long max, String words, List<String> reasons) {
    if (bytes.isPresent() && bytes.getAsLong() > max) {
      reasons.add("memory: %d bytes %s, allowed are %d".formatted(bytes.getAsLong(), words, max));
    }
  }

  private static void judgeTotal(
      Optional<Held> held, long max, String words, List<String> reasons) {
    OptionalLong bytes = held.map(Held::bytes).orElse(OptionalLong.empty());
    judgeBytes(bytes, max, "in all " + words, reasons);
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", time.toNanos() / 1e9);
  }
}
