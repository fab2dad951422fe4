package dev.roost.server.settings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A value out of range cannot be made, and says what is allowed.
class ServerSettingsTest {

  @Test
  void a_port_is_a_port() {
    assertThatThrownBy(() -> new ListenSettings("::", 65_536, "::", 0))
        .hasMessage("server.port: 65536 is not in 0..65535");
  }

  @Test
  void a_head_has_room_for_a_request() {
    assertThatThrownBy(
            () -> new HttpSettings(10, 0, Duration.ofSeconds(60), Duration.ofSeconds(30)))
        .hasMessage("http.header-size: 10 is not in 1024..1048576");
  }

  @Test
  void an_idle_connection_is_closed_one_day() {
    assertThatThrownBy(() -> new HttpSettings(8_192, 0, Duration.ZERO, Duration.ofSeconds(30)))
        .hasMessage("http.keep-alive-timeout: PT0S is not in PT1S..PT24H");
  }

  @Test
  void there_is_at_least_one_instance() {
    assertThatThrownBy(() -> ReactorSettings.of(0)).hasMessage("instances: 0 is not in 1..1024");
  }
}
