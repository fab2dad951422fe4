package dev.roost.gate.client;

import dev.roost.gate.memory.ProcessMemory;
import dev.roost.gate.verdict.Figures;
import dev.roost.gate.verdict.IdleFigures;
import dev.roost.gate.verdict.Limits;
import dev.roost.gate.verdict.MemoryFigures;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// One run: warm-up, idle memory, ramp, hold, held memory, rounds. It only measures; whether that
/// is good enough is [dev.roost.gate.verdict.Verdict]'s to say. It asks the server for nothing but
/// the target's path. Confined to the thread that calls [#run].
public final class HoldingClient {
  /// Time the warm-up's connections get to close.
  private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

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

  /// Runs once; blocks until all is measured or the ramp has failed.
  public Figures run() throws InterruptedException {
    try (var dialer = new Dialer(plan.target(), plan.loops())) {
      var figures = measure(dialer);
      dialer.causes().forEach(cause -> progress.say("seen: " + cause));
      return figures;
    }
  }

  private Figures measure(Dialer dialer) throws InterruptedException {
    var warmUp = warmUp(dialer);
    var idleMemory = server.bytes();
    progress.say("idle: %s".formatted(mebibytes(idleMemory)));

    var idleness = new Idleness();
    var ramp = new Ramp(dialer, idleness, limits.connections());
    var ramped = ramp.run(plan.inFlightMax(), limits.rampMax());
    var connections = ramp.established();
    progress.say(
        "ramp: %d of %d established in %.2f s %s"
            .formatted(
                ramped.established(), ramped.wanted(), seconds(ramped), ramped.tally().faults()));
    if (connections.isEmpty() || ramped.took().compareTo(limits.rampMax()) > 0) {
      var memory = new MemoryFigures(idleMemory, OptionalLong.empty(), List.of());
      return new Figures(warmUp, ramped, 0, idleness.figures(), List.of(), memory);
    }

    Thread.sleep(plan.hold());
    int open = (int) connections.stream().filter(HeldConnection::isOpen).count();
    var heldMemory = server.bytes();
    progress.say(
        "hold: %d open after %d s, %s"
            .formatted(open, plan.hold().toSeconds(), mebibytes(heldMemory)));

    var rounds = new ArrayList<RoundFigures>();
    var afterRounds = new ArrayList<OptionalLong>();
    for (int number = 1; number <= limits.rounds(); number++) {
      rounds.add(round(number, connections));
      afterRounds.add(server.bytes());
    }
    var memory = new MemoryFigures(idleMemory, heldMemory, afterRounds);
    IdleFigures idle = idleness.figures();
    for (HeldConnection connection : connections) {
      connection.onLoop(connection::close);
    }
    return new Figures(warmUp, ramped, open, idle, rounds, memory);
  }

  private RampFigures warmUp(Dialer dialer) throws InterruptedException {
    var ramp = new Ramp(dialer, new Idleness(), plan.warmUp());
    var figures = ramp.run(plan.inFlightMax(), limits.rampMax());
    for (HeldConnection connection : ramp.established()) {
      connection.onLoop(connection::close);
    }
    long deadline = System.nanoTime() + CLOSE_MAX.toNanos();
    while (ramp.established().stream().anyMatch(HeldConnection::isOpen)
        && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
    progress.say(
        "warm-up: %d connections in %.2f s".formatted(figures.established(), seconds(figures)));
    Thread.sleep(plan.quiet());
    return figures;
  }

  private RoundFigures round(int number, List<HeldConnection> connections)
      throws InterruptedException {
    var figures =
        new Round(connections)
            .run(
                limits.roundMax(),
                () -> progress.say("round %d: all requests written".formatted(number)));
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
