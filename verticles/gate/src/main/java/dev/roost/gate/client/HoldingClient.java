package dev.roost.gate.client;

import dev.roost.gate.memory.Highest;
import dev.roost.gate.memory.ProcessMemory;
import dev.roost.gate.verdict.Figures;
import dev.roost.gate.verdict.Held;
import dev.roost.gate.verdict.Limits;
import dev.roost.gate.verdict.MemoryFigures;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// One run: warm-up, idle memory, ramp with a hold at each mark, held memory, rounds, a last hold.
/// It only measures; whether that is good enough is [dev.roost.gate.verdict.Verdict]'s to say. It
/// asks the server for nothing but the target's path. Confined to the thread that calls [#run].
public final class HoldingClient {
  private final Plan plan;
  private final Limits limits;
  private final ProcessMemory server;
  private final Progress progress;

  public HoldingClient(Plan plan, Limits limits, ProcessMemory server, Progress progress) {
    this.plan = plan;
    this.limits = limits;
    this.server = server;
    this.progress = progress;
  }

  /// Runs once with the connections of `crowd`; blocks until all is measured or the ramp has
  /// failed.
  public Figures run(Crowd crowd) throws InterruptedException {
    var warmUp = warmUp(crowd);
    var idle = server.bytes();
    progress.say("idle: %s".formatted(mebibytes(idle)));
    Figures figures;
    try (var highest = new Highest(server)) {
      figures = measure(crowd, new Start(warmUp, idle, highest));
    }
    crowd.causes().forEach(cause -> progress.say("seen: " + cause));
    return figures;
  }

  /// What a measurement starts from.
  private record Start(RampFigures warmUp, OptionalLong idle, Highest highest) {}

  private Figures measure(Crowd crowd, Start start) throws InterruptedException {
    var marks = new ArrayList<Held>();
    var ramped = RampFigures.NONE;
    boolean late = false;
    for (int mark : plan.marksTo(limits.connections())) {
      ramped = ramped.and(rampTo(mark, ramped, crowd));
      late = ramped.took().compareTo(limits.rampMax()) > 0;
      if (late) {
        break;
      }
      if (crowd.open() > 0) {
        marks.add(hold(crowd));
      }
    }
    if (late || marks.isEmpty()) {
      var memory = MemoryFigures.unheld(start.idle(), marks, start.highest().bytes());
      return new Figures(start.warmUp(), ramped, crowd.idle(), List.of(), memory);
    }
    var held = marks.removeLast();

    var rounds = new ArrayList<RoundFigures>();
    var afterRounds = new ArrayList<OptionalLong>();
    for (int number = 1; number <= limits.rounds(); number++) {
      rounds.add(round(number, crowd));
      afterRounds.add(server.bytes());
    }
    var settled = Optional.of(hold(crowd));
    var memory =
        new MemoryFigures(
            start.idle(), marks, Optional.of(held), afterRounds, settled, start.highest().bytes());
    var figures = new Figures(start.warmUp(), ramped, crowd.idle(), rounds, memory);
    crowd.leave();
    return figures;
  }

  private RampFigures warmUp(Crowd crowd) throws InterruptedException {
    var figures = crowd.ramp(plan.warmUp(), limits.rampMax());
    crowd.leave();
    progress.say(
        "warm-up: %d connections in %.2f s".formatted(figures.established(), seconds(figures)));
    Thread.sleep(plan.quiet());
    return figures;
  }

  private RampFigures rampTo(int mark, RampFigures before, Crowd crowd)
      throws InterruptedException {
    var figures = crowd.ramp(mark - before.wanted(), limits.rampMax().minus(before.took()));
    progress.say(
        "ramp: %d of %d established in %.2f s %s"
            .formatted(
                figures.established(),
                figures.wanted(),
                seconds(figures),
                figures.tally().faults()));
    return figures;
  }

  private Held hold(Crowd crowd) throws InterruptedException {
    Thread.sleep(plan.hold());
    var held = new Held(crowd.open(), server.bytes(), server.sharedOutBytes());
    progress.say(
        "hold: %d open after %d s, %s"
            .formatted(held.open(), plan.hold().toSeconds(), mebibytes(held.bytes())));
    return held;
  }

  private RoundFigures round(int number, Crowd crowd) throws InterruptedException {
    crowd.ask(limits.roundMax());
    progress.say("round %d: all requests written".formatted(number));
    var figures = crowd.answers(limits.roundMax());
    progress.say(
        "round %d: %d answered well in %.2f s %s"
            .formatted(
                number,
                figures.tally().good(),
                figures.took().toNanos() / 1e9,
                figures.tally().faults()));
    return figures;
  }

  private static double seconds(RampFigures ramp) {
    return ramp.took().toNanos() / 1e9;
  }

  private static String mebibytes(OptionalLong bytes) {
    return bytes.isEmpty() ? "process gone" : bytes.getAsLong() / (1024 * 1024) + " MiB";
  }
}
