package dev.roost.server.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.roost.server.StalledReader;
import dev.roost.server.http.RouteSet;
import dev.roost.server.topic.Topic;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// However a client leaves, the server notices by a heartbeat, and the gauge returns to where it
/// was.
class VanishedClientTest {

  private static final String OPEN = "roost_event_streams_open";
  private static final String STALLED = "roost_event_streams_stalled_total";

  private static final String BIG = "x".repeat(100_000);

  private static final RouteSet ROUTES =
      routes ->
          routes
              .sse("/", stream -> stream.follow(routes.topic("news")))
              .sse("/full", VanishedClientTest::fillOnce)
              .post("/publish", r -> r.end(publish(routes.topic("news"))));

  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.serving(ROUTES, EventStreamTest.beating(200));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_fin_is_noticed() {
    try (var _ = StalledReader.of(server, "/")) {
      assertOpen(1);
    }
    assertOpen(0);
  }

  @Test
  void a_reset_is_noticed() throws IOException {
    try (var client = StalledReader.of(server, "/")) {
      assertOpen(1);
      client.socket().setSoLinger(true, 0);
    }
    assertOpen(0);
  }

  @Test
  void a_reset_stream_is_noticed_and_the_connection_s_others_live_on() {
    try (var other = open("/")) {
      try (var client = open("/")) {
        assertThat(client.response().version()).isEqualTo(Version.HTTP_2);
        assertOpen(2);
      }
      assertOpen(1);
      assertThat(other.receive()).isEqualTo(":");
      assertThat(server.metric("roost_connections_open{protocol=\"http2\"}")).isEqualTo(1);
    }
  }

  @Test
  void a_client_that_takes_nothing_is_cut_after_two_heartbeats() {
    try (var client = StalledReader.of(server, "/full")) {
      assertOpen(1);
      assertOpen(0);
      assertThat(server.metric(STALLED)).isEqualTo(1);
      assertThat(client.isOpen()).isTrue();
    }
  }

  @Test
  void one_that_follows_a_topic_and_takes_nothing_is_cut_too() {
    try (var client = StalledReader.of(server, "/")) {
      assertOpen(1);
      Patience.until(
          "it is cut",
          () -> server.post("/publish", "").statusCode() == 200 && server.metric(OPEN) == 0);
      assertThat(server.metric(STALLED)).isEqualTo(1);
      assertThat(client.isOpen()).isTrue();
    }
  }

  @Test
  void a_machine_that_vanishes_without_a_word_is_given_up() {
    assumeTrue(Transport.EPOLL != null && Transport.EPOLL.available(), "Linux only");
    var client = BlackHole.of(server, "/");
    assertOpen(1);
    client.vanish();
    assertOpen(0);
  }

  private TestStream open(String path) {
    return TestStream.open(
        server, HttpRequest.newBuilder(server.uri(path)).version(Version.HTTP_2));
  }

  private void assertOpen(int streams) {
    Patience.until(streams + " streams are open", () -> server.metric(OPEN) == streams);
  }

  /// Much at once: after ten seconds the kernel would give the reader up on its own.
  private static String publish(Topic topic) {
    return Stream.generate(() -> topic.publish(BIG).result()).limit(20).toList().getLast();
  }

  /// More than kernels take for a reader that reads nothing.
  private static void fillOnce(EventStream stream) {
    for (var i = 0; i < 200; i++) {
      stream.send(BIG);
    }
  }
}
