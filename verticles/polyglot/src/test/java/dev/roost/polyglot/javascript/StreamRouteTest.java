package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class StreamRouteTest {

  @Test
  void events_are_streamed_as_they_are_sent() {
    try (var server =
            Served.routes(
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
        var lines = Served.lines(server, HttpRequest.newBuilder(server.uri("/")))) {
      assertThat(lines)
          .containsExactly(
              "retry: 1500",
              "",
              ": hello",
              "",
              "data: two",
              "data: lines",
              "",
              "id: 7",
              "event: count",
              "data: {\"n\":1}",
              "",
              "data: [1,2]",
              "");
    }
  }

  @Test
  void a_reconnecting_client_tells_where_it_left_off() {
    try (var server =
            Served.routes(
                """
                r.sse("/:name", stream => {
                  stream.send(`${stream.lastEventId} ${stream.request.params.name}`);
                  stream.close();
                });
                """);
        var lines =
            Served.lines(
                server, HttpRequest.newBuilder(server.uri("/x")).header("Last-Event-ID", "41"))) {
      assertThat(lines).containsExactly("data: 41 x", "");
    }
  }

  @Test
  void a_stream_whose_client_leaves_is_told_so() {
    try (var server =
        Served.module(
            """
            let tell;
            const gone = new Promise(resolve => tell = resolve);
            export function routes(r) {
              r.get("/gone", () => gone);
              r.sse("/ticks", stream => {
                const timer = setInterval(() => stream.send("tick"), 5);
                stream.onClose(async () => { clearInterval(timer); tell(`${await stream.send("")}`) });
              });
            }
            """)) {
      try (var lines = Served.lines(server, HttpRequest.newBuilder(server.uri("/ticks")))) {
        assertThat(lines.limit(3)).containsExactly("data: tick", "", "data: tick");
      }
      assertThat(server.get("/gone").body()).isEqualTo("false");
    }
  }

  @Test
  void a_stream_whose_handler_fails_is_cut_and_logged() throws Exception {
    try (var log = Logged.by("dev.roost.server.http.PlainAnswers");
        var server = Served.routes("r.sse('/', async stream => { await null; null.x; });")) {
      var left = new ArrayList<String>();
      try (var lines = Served.lines(server, HttpRequest.newBuilder(server.uri("/")))) {
        lines.forEach(left::add);
      } catch (UncheckedIOException _) {
        left.add("cut");
      }
      assertThat(left).containsExactly("cut");
      assertThat(log.next().getThrown()).hasMessageStartingWith("app.js:2: TypeError");
    }
  }

  @Test
  void a_topic_reaches_streams_and_polls_alike() {
    try (var server =
            Served.routes(
                """
                const news = r.topic("news");
                r.post("/news", async req => news.publish(await req.json()));
                r.sse("/news", stream => { stream.send("here"); stream.follow(news); });
                r.longPoll("/poll", req => r.topic(req.query.topic));
                """);
        var lines = Served.lines(server, HttpRequest.newBuilder(server.uri("/news")))) {
      var line = lines.filter(text -> text.startsWith("data:")).iterator();
      assertThat(line.next()).isEqualTo("data: here");
      server.post("/news", "{\"a\": 1}");
      assertThat(line.next()).isEqualTo("data: {\"a\":1}");
    }
  }
}
