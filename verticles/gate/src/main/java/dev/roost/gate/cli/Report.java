package dev.roost.gate.cli;

import dev.roost.gate.client.Plan;
import dev.roost.gate.machine.Machine;
import dev.roost.gate.verdict.Figures;
import dev.roost.gate.verdict.Held;
import dev.roost.gate.verdict.Limits;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import dev.roost.gate.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
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
        .put("plan", planJson(arguments.plan(), arguments.spread()))
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
        .put("bytes_per_connection_max", limit(limits.memory().perConnectionMax()))
        .put("bytes_per_connection_after_rounds_max", limit(limits.memory().afterRoundsMax()))
        .put("bytes_total_max", limit(limits.memory().totalMax()))
        .put("dropped_max", 0)
        .put("disturbed_max", 0);
  }

  private static OptionalLong limit(long max) {
    return max == Limits.Memory.NONE ? OptionalLong.empty() : OptionalLong.of(max);
  }

  private static JsonObject planJson(Plan plan, Spread spread) {
    var asking = plan.target().asking();
    return new JsonObject()
        .putAll("addresses", plan.target().addresses())
        .put("port", plan.target().port())
        .put("protocol", asking.protocol().toString().toLowerCase(Locale.ROOT))
        .put("path", asking.path())
        .put(asking.body().whole() ? "body" : "body_end", asking.body().text())
        .put("server_processes", spread.processes())
        .put("client_processes", spread.clients())
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
        .put("held_bytes", bytes(memory.held()))
        .put("held_pss_bytes", sharedOut(memory.held()))
        .put("bytes_per_connection", memory.bytesPerConnection())
        .putAll("marks", memory.marks().stream().map(this::markJson).toList())
        .putAll("rounds", rounds)
        .put("settled_bytes", bytes(memory.settled()))
        .put("settled_pss_bytes", sharedOut(memory.settled()))
        .put("bytes_per_connection_after_rounds", memory.bytesPerConnectionAfterRounds())
        .put("highest_bytes", memory.highest());
  }

  private static OptionalLong bytes(Optional<Held> then) {
    return then.map(Held::bytes).orElse(OptionalLong.empty());
  }

  private static OptionalLong sharedOut(Optional<Held> then) {
    return then.map(Held::sharedOutBytes).orElse(OptionalLong.empty());
  }

  private JsonObject markJson(Held mark) {
    return new JsonObject()
        .put("open", mark.open())
        .put("bytes", mark.bytes())
        .put("pss_bytes", mark.sharedOutBytes())
        .put("bytes_per_connection_from_here", figures.memory().marginalBytesSince(mark));
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
