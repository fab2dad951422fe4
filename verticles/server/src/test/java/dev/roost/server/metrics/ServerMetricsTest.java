package dev.roost.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServerMetricsTest {

  private final ServerMetrics metrics = new ServerMetrics();

  @Test
  void a_request_is_in_flight_until_it_has_ended() {
    metrics.requestStarted();
    assertThat(metrics.scrape()).contains("roost_http_requests_in_flight 1.0");
    metrics.requestEnded("GET", 200, 1_000);
    assertThat(metrics.scrape())
        .contains("roost_http_requests_in_flight 0.0")
        .contains("roost_http_requests_total{method=\"GET\",status=\"200\"} 1.0");
  }

  @Test
  void no_client_can_add_a_series_by_inventing_methods_or_statuses() {
    for (var i = 0; i < 1_000; i++) {
      metrics.requestStarted();
      metrics.requestEnded("METHOD" + i, 10_000 + i, 1_000);
    }
    assertThat(
            metrics.scrape().lines().filter(line -> line.startsWith("roost_http_requests_total")))
        .containsExactly("roost_http_requests_total{method=\"OTHER\",status=\"0\"} 1000.0");
  }

  @Test
  void a_shed_continuation_is_counted_under_its_name() {
    metrics.continuationShed();
    assertThat(metrics.scrape()).contains("roost_http_continuation_shed_total 1.0");
  }

  @Test
  void an_unknown_kind_of_outbox_is_a_mistake() {
    assertThatThrownBy(() -> metrics.outboxShed("pigeon"))
        .hasMessage("kind: pigeon is not one of ws, sse");
  }
}
