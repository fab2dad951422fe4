package dev.roost.launcher.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndingTest {
  private final List<String> stopped = new ArrayList<>();

  @Test
  void what_was_started_last_stops_first_and_each_once() {
    var ending = new Ending(Duration.ofSeconds(10));
    ending.add(() -> stopped.add("first"));
    ending.add(() -> stopped.add("second"));
    ending.run();
    ending.run();
    assertThat(stopped).containsExactly("second", "first");
  }

  @Test
  void a_step_that_fails_keeps_none_from_stopping() {
    var ending = new Ending(Duration.ofSeconds(10));
    ending.add(() -> stopped.add("first"));
    ending.add(
        () -> {
          throw new IOException("disk full");
        });
    assertThatThrownBy(ending::run).hasMessage("stopping failed: disk full");
    assertThat(stopped).containsExactly("first");
  }

  @Test
  void a_step_that_never_ends_is_left_when_the_time_is_over() {
    var ending = new Ending(Duration.ofMillis(50));
    ending.add(() -> stopped.add("first"));
    ending.add(() -> ending.await(Promise.promise().future()));
    assertThatThrownBy(ending::run).hasMessageStartingWith("stopping failed: not stopped after");
    assertThat(stopped).containsExactly("first");
  }
}
