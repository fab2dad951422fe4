package dev.roost.gate.cli;

import dev.roost.gate.client.Plan;
import dev.roost.gate.machine.Machine;
import dev.roost.gate.verdict.Figures;
import dev.roost.gate.verdict.Limits;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import dev.roost.gate.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.OptionalLong;

/// One run as one line of JSON: durations in seconds, memory in bytes.
///
/// @param arguments what was asked for
/// @param figures what was measured
record Report(Arguments arguments, Figures figures) {

  String json(Machine machine, Instant date) {
    var verdict = Verdict.of(figures, arguments.limits());
    return new JsonObject()
        .put("gate", arguments.name())
        .put("verdict", verdict.passed() ? "PASS" : "FAIL")
        .putAll("reasons", verdict.reasons())
        .put("server", arguments.server())
        .put("limits", limitsJson(arguments.limits()))
        .put("plan", planJson(arguments.plan()))
        .put("figures", figuresJson())
        .put("machine", machineJson(machine))
        .put("jdk", machine.jdk())
        .put("date", date.truncatedTo(ChronoUnit.SECONDS).toString())
        .toString();
  }

  private static JsonObject limitsJson(Limits limits) {
    return new JsonObject()
        .put("connections", limits.connections())
        .put("ramp_seconds_max", seconds(limits.rampMax()))
        .put("round_seconds_max", seconds(limits.roundMax()))
        .put("rounds", limits.rounds())
        .put("bytes_per_connection_max", limits.memory().perConnectionMax())
        .put("bytes_total_max", limits.memory().totalMax())
        .put("dropped_max", 0)
        .put("disturbed_max", 0);
  }

  private static JsonObject planJson(Plan plan) {
    return new JsonObject()
        .putAll("addresses", plan.target().addresses())
        .put("port", plan.target().port())
        .put("path", plan.target().path())
        .put("body", plan.target().body())
        .put("warm_up_connections", plan.warmUp())
        .put("in_flight_max", plan.inFlightMax())
        .put("quiet_seconds", seconds(plan.quiet()))
        .put("hold_seconds", seconds(plan.hold()))
        .put("client_loops", plan.loops());
  }

  private JsonObject figuresJson() {
    var memory = figures.memory();
    var rounds = new ArrayList<JsonObject>();
    for (int index = 0; index < figures.rounds().size(); index++) {
      rounds.add(roundJson(figures.rounds().get(index), memory.afterRounds().get(index)));
    }
    return new JsonObject()
        .put("warm_up", rampJson(figures.warmUp()))
        .put("ramp", rampJson(figures.ramp()))
        .put("established", figures.ramp().established())
        .put("open_when_held", figures.openWhenHeld())
        .put("dropped", figures.idle().dropped())
        .put("disturbed", figures.idle().disturbed())
        .put("idle_bytes", memory.idle())
        .put("held_bytes", memory.held())
        .put("bytes_per_connection", figures.bytesPerConnection())
        .putAll("rounds", rounds);
  }

  private static JsonObject rampJson(RampFigures ramp) {
    return new JsonObject()
        .put("wanted", ramp.wanted())
        .put("seconds", seconds(ramp.took()))
        .putAll("outcomes", ramp.tally().inOrder());
  }

  private static JsonObject roundJson(RoundFigures round, OptionalLong bytesAfter) {
    return new JsonObject()
        .put("good", round.tally().good())
        .put("seconds", seconds(round.took()))
        .put("answers_per_second", round.answersPerSecond())
        .put("early", round.early())
        .putAll("outcomes", round.tally().inOrder())
        .put("bytes_after", bytesAfter);
  }

  private static JsonObject machineJson(Machine machine) {
    return new JsonObject()
        .put("cores", machine.cores())
        .put("processor", machine.processor())
        .put("memory_bytes", machine.memoryBytes())
        .put("kernel", machine.kernel());
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
