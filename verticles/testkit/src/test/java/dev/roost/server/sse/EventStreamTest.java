package dev.roost.server.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StreamSettings;
import dev.roost.server.settings.TopicSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import io.vertx.core.Future;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Event streams as a browser sees them, over HTTP/1.1 and HTTP/2.
class EventStreamTest {

  private static final RouteSet NEWS =
      routes ->
          routes
              .sse("/news", stream -> stream.follow(routes.topic("news")))
              .post(
                  "/news",
                  r ->
                      routes
                          .topic("news")
                          .publish(String.valueOf(r.body().asString()))
                          .onSuccess(r::end));

  @ParameterizedTest
  @EnumSource
  void the_head_and_the_first_byte_come_at_once(Version version) {
    try (var server = TestServer.serving(NEWS);
        var stream = open(server, "/news", version)) {
      assertThat(stream.response().version()).isEqualTo(version);
      assertThat(stream.response().headers().firstValue("x-accel-buffering")).hasValue("no");
      assertThat(stream.position()).endsWith("-0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void id_name_retry_comment_and_lines_arrive_as_they_were_sent(Version version) {
    RouteSet routes = mounted -> mounted.sse("/", EventStreamTest::everything);
    try (var server = TestServer.serving(routes);
        var stream = open(server, "/", version)) {
      assertThat(Stream.generate(stream::receive).limit(4))
          .containsExactly(
              "retry: 1500", ": hello", "id: 7|event: count|data: one|data: two", TestStream.END);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_silent_stream_has_heartbeats(Version version) {
    try (var server = TestServer.serving(r -> r.sse("/", _ -> {}), beating(100));
        var stream = open(server, "/", version)) {
      assertThat(stream.receive()).isEqualTo(":");
      assertThat(stream.receive()).isEqualTo(":");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_client_that_comes_back_misses_nothing_even_from_before_its_first_event(Version version) {
    try (var server = TestServer.serving(NEWS)) {
      String position;
      try (var first = open(server, "/news", version)) {
        position = first.position();
      }
      server.post("/news", "meanwhile");
      try (var second = resume(server, position, version)) {
        assertThat(second.receive()).endsWith("-1|data: meanwhile");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_older_than_the_history_is_a_gap_and_then_what_is_left(Version version) {
    try (var server = TestServer.serving(NEWS, remembering(3))) {
      var ids = IntStream.range(0, 5).mapToObj(i -> server.post("/news", "m" + i).body()).toList();
      try (var stream = resume(server, ids.getFirst(), version)) {
        assertThat(stream.receive()).isEqualTo("id: %s|event: gap|data:".formatted(ids.get(1)));
        assertThat(Stream.generate(stream::receive).limit(3))
            .containsExactly(
                event(ids.get(2), "m2"), event(ids.get(3), "m3"), event(ids.get(4), "m4"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_long_history_is_sent_at_the_client_s_pace(Version version) {
    var big = "x".repeat(20_000);
    var topics = new TopicSettings(1_024, 64L << 20, 256 << 10);
    var streams = new StreamSettings(Duration.ofSeconds(15), 1, Duration.ofSeconds(25), topics);
    try (var server = TestServer.serving(NEWS, settings -> settings.with(streams))) {
      var first = server.post("/news", "first").body();
      IntStream.range(0, 500).forEach(_ -> server.post("/news", big));
      try (var stream = resume(server, first, version)) {
        assertThat(Stream.generate(stream::receive).limit(500))
            .allMatch(event -> event.endsWith(big));
      }
    }
  }

  @Test
  void a_thread_that_sends_faster_than_the_loop_takes_is_bounded() throws Exception {
    var streams = new LinkedBlockingQueue<Held>();
    try (var server =
            TestServer.serving(r -> r.sse("/", s -> streams.add(Held.of(s))), outbox(10));
        var client = open(server, "/", Version.HTTP_1_1)) {
      var held = Patience.poll(streams);
      var sent = Stream.generate(() -> held.stream().send("flood")).limit(1_000).toList();
      assertThat(sent.stream().filter(Future::failed)).hasSize(990);
      held.release().countDown();
      Patience.until("it is cut", () -> server.metric("roost_event_streams_open") == 0);
      assertThat(server.metric("roost_outbox_shed_total{kind=\"sse\"}")).isEqualTo(1);
      assertThat(client.receive()).isIn(TestStream.END, "data: flood");
    }
  }

  private static void everything(EventStream stream) {
    stream.retry(Duration.ofMillis(1_500));
    stream.comment("hello");
    stream.send(new Event("one\r\ntwo", Optional.of("7"), Optional.of("count")));
    stream.close();
  }

  private static String event(String id, String data) {
    return "id: %s|data: %s".formatted(id, data);
  }

  private static TestStream open(TestServer server, String path, Version version) {
    return TestStream.open(server, HttpRequest.newBuilder(server.uri(path)).version(version));
  }

  private static TestStream resume(TestServer server, String id, Version version) {
    var request = HttpRequest.newBuilder(server.uri("/news")).header("Last-Event-ID", id);
    return TestStream.open(server, request.version(version));
  }

  static UnaryOperator<ServerSettings> beating(int millis) {
    return settings ->
        settings.with(
            new StreamSettings(Duration.ofMillis(millis), 256, Duration.ofSeconds(25), 1_024));
  }

  private static UnaryOperator<ServerSettings> remembering(int messages) {
    return settings ->
        settings.with(
            new StreamSettings(Duration.ofSeconds(15), 256, Duration.ofSeconds(25), messages));
  }

  private static UnaryOperator<ServerSettings> outbox(int events) {
    return settings ->
        settings.with(
            new StreamSettings(Duration.ofSeconds(15), events, Duration.ofSeconds(25), 1_024));
  }

  /// A stream whose event loop does nothing until it is released.
  private record Held(EventStream stream, CountDownLatch release) {

    /// Called on the stream's event loop.
    static Held of(EventStream stream) {
      var held = new Held(stream, new CountDownLatch(1));
      stream.request().vertx().getOrCreateContext().runOnContext(_ -> held.hold());
      return held;
    }

    private void hold() {
      try {
        release.await();
      } catch (InterruptedException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
