package dev.roost.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServerMetricsTest {

  private final ServerMetrics metrics = new ServerMetrics();
  private final RequestMeter requests = metrics.requestMeter();

  @Test
  void a_request_is_in_flight_until_it_has_ended() {
    requests.started();
    assertThat(metrics.scrape()).contains("roost_http_requests_in_flight 1.0");
    requests.ended("GET", 200, 1_000);
    assertThat(metrics.scrape())
        .contains("roost_http_requests_in_flight 0.0")
        .contains("roost_http_requests_total{method=\"GET\",status=\"200\"} 1.0");
  }

  @Test
  void the_requests_of_all_loops_are_one_histogram() {
    requests.ended("GET", 200, 700_000);
    metrics.requestMeter().ended("GET", 200, 30_000_000);
    assertThat(metrics.scrape())
        .contains("roost_http_request_duration_seconds_bucket{le=\"0.001\"} 1")
        .contains("roost_http_request_duration_seconds_bucket{le=\"0.025\"} 1")
        .contains("roost_http_request_duration_seconds_bucket{le=\"+Inf\"} 2")
        .contains("roost_http_request_duration_seconds_sum 0.0307");
  }

  @Test
  void no_client_can_add_a_series_by_inventing_methods_or_statuses() {
    for (var i = 0; i < 1_000; i++) {
      requests.started();
      requests.ended("METHOD" + i, 10_000 + i, 1_000);
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
