package dev.roost.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Server-sent events (WHATWG HTML, 9.2), over TLS.
public abstract class StreamContract extends Contract {

  @Test
  void the_head_comes_before_any_event() {
    try (var stream = TestStream.open(server(), "/news/stream")) {
      var headers = stream.response().headers();
      assertThat(headers.firstValue("content-type").orElse("")).startsWith("text/event-stream");
      assertThat(headers.firstValue("x-accel-buffering")).hasValue("no");
      assertThat(headers.firstValue("cache-control")).hasValue("no-store");
    }
  }

  @Test
  void what_is_published_arrives_with_its_id() {
    try (var stream = TestStream.open(server(), "/news/stream")) {
      var id = server().post("/news", "first").body();
      assertThat(stream.receive()).isEqualTo("id: %s|data: first".formatted(id));
    }
  }

  @Test
  void a_message_of_several_lines_is_one_event() {
    try (var stream = TestStream.open(server(), "/news/stream")) {
      server().post("/news", "one\ntwo\r\n");
      assertThat(stream.receive()).endsWith("|data: one|data: two|data:");
    }
  }

  @Test
  void a_client_that_comes_back_gets_what_it_missed() {
    var seen = server().post("/news", "seen").body();
    server().post("/news", "missed one");
    server().post("/news", "missed two");
    try (var stream = TestStream.resume(server(), "/news/stream", seen)) {
      assertThat(stream.receive()).endsWith("|data: missed one");
      assertThat(stream.receive()).endsWith("|data: missed two");
    }
  }

  @Test
  void an_id_that_is_not_in_the_history_is_answered_by_a_gap() {
    try (var stream = TestStream.resume(server(), "/news/stream", "of-another-life")) {
      assertThat(stream.receive()).contains("|event: gap|");
    }
  }

  @Test
  void a_client_that_leaves_is_counted_out() {
    var series = "roost_event_streams_open";
    try (var stream = TestStream.open(server(), "/news/stream")) {
      assertThat(stream.response().statusCode()).isEqualTo(200);
      assertThat(server().metric(series)).isPositive();
    }
    Patience.until(
        "the gauge is back at 0",
        () -> {
          server().post("/news", "is anybody there");
          return server().metric(series) == 0;
        });
  }
}
