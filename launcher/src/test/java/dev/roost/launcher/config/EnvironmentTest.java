package dev.roost.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentTest {

  @Test
  void a_key_is_its_variable_in_capitals() {
    var settings = Settings.of(List.of(Environment.read(Map.of("ROOST_HTTP_HEADER_SIZE", "4KiB"))));
    assertThat(settings.value(Catalogue.HTTP_HEADER_SIZE)).isEqualTo(4_096);
    assertThat(settings.setting(Catalogue.HTTP_HEADER_SIZE).source())
        .hasToString("variable ROOST_HTTP_HEADER_SIZE");
  }

  @Test
  void no_two_keys_share_a_variable() {
    assertThat(Catalogue.keys()).extracting(Key::variable).doesNotHaveDuplicates();
  }

  @Test
  void variables_of_others_are_left_alone() {
    assertThat(Environment.read(Map.of("PATH", "/bin", "ROOSTER", "x"))).isEmpty();
  }

  @Test
  void a_misspelt_variable_is_refused_with_the_nearest_one() {
    assertThatThrownBy(() -> Environment.read(Map.of("ROOST_HTTP_HEADR_SIZE", "1")))
        .hasMessage(
            "ROOST_HTTP_HEADR_SIZE: no setting has this variable;"
                + " did you mean ROOST_HTTP_HEADER_SIZE? (environment)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ROOST_SERVICE_HOST",
        "ROOST_SERVICE_PORT",
        "ROOST_SERVICE_PORT_HTTPS",
        "ROOST_PORT",
        "ROOST_PORT_9443_TCP",
        "ROOST_PORT_9443_UDP_PROTO",
        "ROOST_PORT_9443_TCP_ADDR",
        "ROOST_METRICS_SERVICE_HOST"
      })
  void what_kubernetes_adds_for_a_service_is_refused_by_its_name(String variable) {
    assertThatThrownBy(() -> Environment.read(Map.of(variable, "10.0.0.7")))
        .hasMessageStartingWith(variable + "=10.0.0.7: Kubernetes sets this for a Service")
        .hasMessageContaining("enableServiceLinks: false");
  }

  @Test
  void a_service_link_under_the_name_of_a_setting_is_told_from_it() {
    assertThatThrownBy(() -> Environment.read(Map.of("ROOST_SERVER_PORT", "tcp://10.0.0.7:9443")))
        .hasMessageContaining("Kubernetes sets this for a Service");
  }
}
