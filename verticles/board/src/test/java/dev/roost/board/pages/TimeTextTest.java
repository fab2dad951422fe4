package dev.roost.board.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {
  private static final Instant NOW = Instant.parse("2026-11-30T18:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T17:59:30Z, just now",
    "2026-11-30T17:15:00Z, 45 minutes ago",
    "2026-11-30T15:30:00Z, 2 hours ago",
    "2026-11-29T23:59:00Z, yesterday",
    "2026-11-28T00:00:00Z, 2 days ago",
    "2026-11-02T09:00:00Z, 28 days ago",
    "2026-11-01T09:00:00Z, 1 November 2026",
    "2026-12-24T09:00:00Z, 24 December 2026"
  })
  void a_time_is_told_from_now_up_to_four_weeks(String time, String shown) {
    assertThat(TimeText.of(Instant.parse(time), NOW).shown()).isEqualTo(shown);
  }

  @Test
  void the_exact_time_is_kept_for_machines_and_for_who_points_at_it() {
    var text = TimeText.of(Instant.parse("2026-11-01T09:05:00.250Z"), NOW);

    assertThat(text.iso()).isEqualTo("2026-11-01T09:05:00Z");
    assertThat(text.exact()).isEqualTo("1 November 2026, 09:05 UTC");
  }
}
