package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.TestStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StreamRouteTest {

  private static final Served SCRIPT = new Served("stream.js");

  @Test
  void events_are_streamed_as_they_are_sent() {
    try (var server =
            SCRIPT.routes(
                """
                r.sse("/", async stream => {
                  stream.retry(1500);
                  stream.comment("hello");
                  await stream.send("two\\nlines");
                  await stream.send({ data: { n: 1 }, id: 7, event: "count" });
                  await stream.send([1, 2]);
                  stream.close();
                });
                """);
        var stream = TestStream.open(server, "/")) {
      assertThat(stream.receive()).isEqualTo("retry: 1500");
      assertThat(stream.receive()).isEqualTo(": hello");
      assertThat(stream.receive()).isEqualTo("data: two|data: lines");
      assertThat(stream.receive()).isEqualTo("id: 7|event: count|data: {\"n\":1}");
      assertThat(stream.receive()).isEqualTo("data: [1,2]");
      assertThat(stream.receive()).isEqualTo(TestStream.END);
    }
  }

  @Test
  void ids_that_are_numbers_read_as_they_do_in_the_script() {
    try (var server =
            SCRIPT.routes(
                """
                r.sse("/", stream => {
                  for (const id of [7, 3 / 3, 2 ** 40, 0.5]) stream.send({ data: "x", id });
                });
                """);
        var stream = TestStream.open(server, "/")) {
      assertThat(Stream.generate(stream::receive).limit(4))
          .containsExactly(
              "id: 7|data: x", "id: 1|data: x", "id: 1099511627776|data: x", "id: 0.5|data: x");
    }
  }

  @Test
  void a_reconnecting_client_tells_where_it_left_off() {
    try (var server =
            SCRIPT.routes(
                """
                r.sse("/:name", stream =>
                  stream.send(`${stream.lastEventId} ${stream.request.params.name}`));
                """);
        var first = TestStream.open(server, "/x");
        var second = TestStream.resume(server, "/x", "41")) {
      assertThat(first.receive()).isEqualTo("data: null x");
      assertThat(second.receive()).isEqualTo("data: 41 x");
    }
  }

  @Test
  void a_script_is_told_when_the_client_leaves() {
    try (var server =
        SCRIPT.module(
            """
            let tell;
            const gone = new Promise(resolve => tell = resolve);
            export function routes(r) {
              r.get("/gone", () => gone);
              r.sse("/ticks", stream => {
                const timer = setInterval(() => stream.send("tick"), 5);
                stream.onClose(async () => {
                  clearInterval(timer);
                  tell(`${await stream.send("")}`);
                });
              });
            }
            """)) {
      try (var stream = TestStream.open(server, "/ticks")) {
        assertThat(stream.receive()).isEqualTo("data: tick");
        assertThat(stream.receive()).isEqualTo("data: tick");
      }
      assertThat(server.get("/gone").body()).isEqualTo("false");
    }
  }

  @Test
  void a_stream_whose_handler_fails_is_cut_and_logged() {
    try (var log = SCRIPT.by("dev.roost.server.http.PlainAnswers");
        var server = SCRIPT.routes("r.sse('/', async stream => { await null; null.x; });");
        var stream = TestStream.open(server, "/")) {
      assertThat(stream.receive()).isEqualTo(TestStream.END);
      assertThat(log.next().getThrown()).hasMessageStartingWith("stream.js:2: TypeError");
    }
  }

  @Test
  void what_is_no_event_is_refused_where_it_is_sent() {
    try (var server =
            SCRIPT.routes(
                """
                r.sse("/", stream => {
                  for (const bad of [{ data: "", id: "1\\n2" }, new Uint8Array(1), () => {}]) {
                    try { stream.send(bad); } catch (error) { stream.send(error.message); }
                  }
                });
                """);
        var stream = TestStream.open(server, "/")) {
      assertThat(stream.receive()).isEqualTo("data: id: a line break or NUL is not allowed");
      assertThat(stream.receive()).isEqualTo("data: bytes are no text");
      assertThat(stream.receive()).isEqualTo("data: () => {} cannot be told as JSON");
    }
  }
}
