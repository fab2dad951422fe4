package dev.roost.gate.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Limits LIMITS =
      new Limits(
          100,
          Duration.ofSeconds(180),
          Duration.ofSeconds(60),
          2,
          new Limits.Memory(1_000, Limits.Memory.NONE, 200_000));
  private static final RampFigures RAMP = ramp(100, Map.of(Outcome.GOOD, 100), 180);
  private static final IdleFigures IDLE = new IdleFigures(0, 0);
  private static final RoundFigures ROUND = round(Map.of(Outcome.GOOD, 100), 0, 60);
  private static final MemoryFigures MEMORY = memory(5_000, 105_000);
  private static final Figures GOOD = new Figures(RAMP, RAMP, IDLE, List.of(ROUND, ROUND), MEMORY);

  @Test
  void figures_that_just_keep_every_limit_pass() {
    assertThat(Verdict.of(GOOD, LIMITS).passed()).isTrue();
    assertThat(Verdict.of(GOOD, LIMITS).reasons()).isEmpty();
  }

  @Test
  void a_connection_that_was_not_established_fails() {
    var ramp = ramp(100, Map.of(Outcome.GOOD, 99, Outcome.UNSHAKEN, 1), 10);
    assertThat(reasons(RAMP, ramp, IDLE, ROUND))
        .containsExactly("ramp: 99 of 100 established (1 failed the TLS handshake)");
  }

  @Test
  void a_ramp_over_its_time_fails() {
    var ramp = new RampFigures(100, RAMP.tally(), Duration.ofMillis(180_010));
    assertThat(reasons(RAMP, ramp, IDLE, ROUND))
        .containsExactly("ramp: took 180.01 s, allowed are 180.00 s");
  }

  @Test
  void a_cold_warm_up_fails() {
    var warmUp = ramp(100, Map.of(Outcome.GOOD, 98, Outcome.UNCONNECTED, 2), 10);
    assertThat(reasons(warmUp, RAMP, IDLE, ROUND))
        .singleElement()
        .asString()
        .startsWith("warm-up: 98 of 100 answered (2 could not connect)");
  }

  @Test
  void a_connection_dropped_while_idle_fails() {
    assertThat(reasons(RAMP, RAMP, new IdleFigures(1, 0), ROUND))
        .containsExactly("hold: 1 connections dropped while idle");
  }

  @Test
  void bytes_that_nobody_asked_for_fail() {
    assertThat(reasons(RAMP, RAMP, new IdleFigures(0, 3), ROUND))
        .containsExactly("hold: 3 connections sent unexpected bytes");
  }

  @Test
  void each_kind_of_bad_answer_fails_and_is_named() {
    for (Outcome outcome : Outcome.values()) {
      if (outcome != Outcome.GOOD) {
        var round = round(Map.of(Outcome.GOOD, 99, outcome, 1), 0, 1);
        assertThat(reasons(RAMP, RAMP, IDLE, round))
            .containsExactly("round 2: 99 of 100 answered well (1 " + outcome.words() + ")");
      }
    }
  }

  @Test
  void a_round_over_its_time_fails() {
    assertThat(reasons(RAMP, RAMP, IDLE, round(Map.of(Outcome.GOOD, 100), 0, 61)))
        .containsExactly("round 2: took 61.00 s, allowed are 60.00 s");
  }

  @Test
  void a_round_that_was_not_run_fails() {
    var figures = new Figures(RAMP, RAMP, IDLE, List.of(ROUND), MEMORY);
    assertThat(Verdict.of(figures, LIMITS).reasons()).containsExactly("round 2: was not run");
  }

  @Test
  void an_answer_read_before_all_requests_were_written_fails() {
    assertThat(reasons(RAMP, RAMP, IDLE, round(Map.of(Outcome.GOOD, 100), 1, 1)))
        .containsExactly("round 2: 1 answers were read before all requests were written");
  }

  @Test
  void one_byte_over_the_memory_limit_fails() {
    assertThat(reasons(memory(5_000, 105_001)))
        .containsExactly("memory: 1001 bytes per open connection, allowed are 1000");
  }

  @Test
  void memory_that_could_not_be_read_fails() {
    var gone = MemoryFigures.unheld(OptionalLong.of(5_000), List.of(), OptionalLong.empty());
    assertThat(reasons(gone)).singleElement().asString().startsWith("memory: not measured");
  }

  @Test
  void memory_that_shrank_passes() {
    assertThat(reasons(memory(105_000, 5_000))).isEmpty();
  }

  @Test
  void memory_is_divided_by_the_connections_still_open() {
    assertThat(memory(5_000, held(50, 105_000)).bytesPerConnection()).hasValue(2_000);
    assertThat(memory(5_000, held(0, 105_000)).bytesPerConnection()).isEmpty();
  }

  @Test
  void connections_that_cost_more_after_the_first_half_fail() {
    assertThat(reasons(marked(held(50, 55_000)))).isEmpty();
    assertThat(reasons(marked(held(50, 54_999))))
        .containsExactly(
            "memory: 1001 bytes for each connection after the first 50, allowed are 1000");
  }

  @Test
  void memory_that_stays_after_the_rounds_fails_where_it_is_limited() {
    var stays = settled(held(100, 205_001));
    assertThat(reasons(stays)).isEmpty();
    assertThat(reasons(stays, new Limits.Memory(1_000, 2_000, 205_000)))
        .containsExactly(
            "memory: 2001 bytes per open connection after the rounds, allowed are 2000",
            "memory: 205001 bytes in all after the rounds, allowed are 205000");
  }

  @Test
  void limited_memory_that_could_not_be_read_after_the_rounds_fails() {
    assertThat(reasons(MEMORY, new Limits.Memory(1_000, 2_000, 205_000)))
        .containsExactly("memory: not measured after the rounds");
  }

  @Test
  void a_heap_that_was_touched_in_advance_fails_by_its_total() {
    assertThat(reasons(memory(200_000, 200_000))).isEmpty();
    assertThat(reasons(memory(200_001, 200_001)))
        .containsExactly(
            "memory: 200001 bytes in all with the connections held, allowed are 200000");
  }

  @Test
  void every_broken_limit_is_named() {
    var none = ramp(100, Map.of(Outcome.UNANSWERED, 100), 181);
    var nothing = MemoryFigures.unheld(OptionalLong.empty(), List.of(), OptionalLong.empty());
    var figures = new Figures(none, none, IDLE, List.of(), nothing);
    assertThat(Verdict.of(figures, LIMITS).reasons()).hasSize(6);
  }

  @Test
  void a_limit_of_zero_is_refused() {
    var memory = LIMITS.memory();
    assertThatThrownBy(() -> new Limits(100, Duration.ZERO, Duration.ofSeconds(1), 2, memory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ramp-seconds-max");
  }

  private static List<String> reasons(
      RampFigures warmUp, RampFigures ramp, IdleFigures idle, RoundFigures second) {
    var figures = new Figures(warmUp, ramp, idle, List.of(ROUND, second), MEMORY);
    return Verdict.of(figures, LIMITS).reasons();
  }

  private static List<String> reasons(MemoryFigures memory) {
    return reasons(memory, LIMITS.memory());
  }

  private static List<String> reasons(MemoryFigures memory, Limits.Memory max) {
    var limits = new Limits(100, LIMITS.rampMax(), LIMITS.roundMax(), LIMITS.rounds(), max);
    var figures = new Figures(RAMP, RAMP, IDLE, List.of(ROUND, ROUND), memory);
    return Verdict.of(figures, limits).reasons();
  }

  private static RampFigures ramp(int wanted, Map<Outcome, Integer> tally, int seconds) {
    return new RampFigures(wanted, new Tally(tally), Duration.ofSeconds(seconds));
  }

  private static RoundFigures round(Map<Outcome, Integer> tally, int early, int seconds) {
    return new RoundFigures(new Tally(tally), early, Duration.ofSeconds(seconds));
  }

  private static MemoryFigures memory(long idle, long held) {
    return memory(idle, held(100, held));
  }

  private static MemoryFigures memory(long idle, Held held) {
    return figures(idle, List.of(), held, Optional.empty());
  }

  private static MemoryFigures marked(Held mark) {
    return figures(5_000, List.of(mark), held(100, 105_000), Optional.empty());
  }

  private static MemoryFigures settled(Held settled) {
    return figures(5_000, List.of(), held(100, 105_000), Optional.of(settled));
  }

  private static MemoryFigures figures(
      long idle, List<Held> marks, Held held, Optional<Held> settled) {
    return new MemoryFigures(
        OptionalLong.of(idle), marks, Optional.of(held), List.of(), settled, OptionalLong.empty());
  }

  private static Held held(int open, long bytes) {
    return new Held(open, OptionalLong.of(bytes), OptionalLong.empty());
  }
}
