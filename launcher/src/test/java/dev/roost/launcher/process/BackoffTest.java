package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// How long a worker that died is waited for.
class BackoffTest {
  private final Backoff backoff = new Backoff();

  @Test
  void it_doubles_from_a_tenth_of_a_second_to_thirty_seconds() {
    assertThat(after(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(after(1)).isEqualTo(Duration.ofMillis(200));
    for (var each = 0; each < 20; each++) {
      after(1);
    }
    assertThat(after(1)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void one_that_lived_for_a_minute_is_replaced_at_once() {
    after(1);
    after(1);
    assertThat(after(60)).isEqualTo(Duration.ofMillis(100));
    assertThat(after(1)).isEqualTo(Duration.ofMillis(200));
  }

  private Duration after(int livedSeconds) {
    return backoff.after(Duration.ofSeconds(livedSeconds));
  }
}
