package dev.roost.server.longpoll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.topic.Topic;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Long polls: whoever publishes how, and however often they reconnect, each message comes once.
class LongPollTest {

  private static final String WAITING = "roost_long_polls_waiting";

  private final LinkedBlockingQueue<Topic> topics = new LinkedBlockingQueue<>();

  private final RouteSet routes =
      mounted -> {
        topics.add(mounted.topic("news"));
        mounted.longPoll("/poll", _ -> mounted.topic("news"));
      };

  @Test
  void no_message_is_lost_and_none_repeated_while_many_publish_and_poll() {
    try (var server = TestServer.serving(routes, s -> s.with(ReactorSettings.of(3)))) {
      var topic = Patience.poll(topics);
      var start = topic.lastId();
      var pollers =
          Stream.of(Version.HTTP_1_1, Version.HTTP_2, Version.HTTP_1_1, Version.HTTP_2)
              .map(version -> CompletableFuture.supplyAsync(() -> collect(server, start, version)))
              .toList();
      IntStream.range(0, 900).parallel().forEach(i -> topic.publish("message " + i));
      var first = Patience.await(pollers.getFirst());
      assertThat(first).hasSize(900).doesNotHaveDuplicates();
      assertThat(pollers).allSatisfy(p -> assertThat(Patience.await(p)).isEqualTo(first));
    }
  }

  @Test
  void two_thousand_that_wait_on_few_connections_are_answered_by_one_message() {
    try (var server = TestServer.serving(routes)) {
      var client = http2(server, 20);
      var answers = Stream.generate(() -> poll(client, server)).limit(2_000).toList();
      Patience.until("all wait", () -> server.metric(WAITING) == 2_000);
      assertThat(server.metric("roost_connections_open{protocol=\"http2\"}")).isEqualTo(20);
      Patience.poll(topics).publish("for all");
      assertThat(answers)
          .allSatisfy(a -> assertThat(TestServer.await(a).toString()).contains("\"for all\""));
      Patience.until("none waits", () -> server.metric(WAITING) == 0);
    }
  }

  @Test
  void a_poll_without_a_cursor_is_told_where_it_stands_when_the_server_stops() {
    try (var server = TestServer.serving(routes)) {
      var request = HttpRequest.newBuilder(server.uri("/poll")).build();
      var answer = server.client().sendAsync(request, BodyHandlers.ofString());
      Patience.until("it waits", () -> server.metric(WAITING) == 1);
      var stopped = server.roost().close();
      assertThat(Patience.await(answer).statusCode()).isEqualTo(204);
      assertThat(Patience.await(answer).headers().firstValue("roost-cursor").orElse(""))
          .endsWith("-0");
      TestServer.await(stopped);
    }
  }

  @Test
  void a_gap_comes_with_what_is_left_and_no_cursor_is_echoed() {
    try (var server = TestServer.serving(routes)) {
      var id = Patience.poll(topics).publish("left").await();
      var answer = server.get("/poll?cursor=x%0d%0aset-cookie:%20a");
      assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
      assertThat(answer.body())
          .isEqualTo(
              "{\"cursor\":\"%s\",\"gap\":true,\"messages\":[{\"id\":\"%s\",\"data\":\"left\"}]}",
              id, id);
    }
  }

  /// Polls, each time with the cursor of the answer before, until it has 900 messages.
  private static List<String> collect(TestServer server, String start, Version version) {
    List<String> messages = new ArrayList<>();
    var cursor = start;
    while (messages.size() < 900) {
      var request = HttpRequest.newBuilder(server.uri("/poll?cursor=" + cursor)).version(version);
      var answer = new JsonObject(server.send(request).body());
      assertThat(answer.getBoolean("gap")).isFalse();
      answer
          .getJsonArray("messages")
          .forEach(m -> messages.add(((JsonObject) m).getString("data")));
      cursor = answer.getString("cursor");
    }
    return messages;
  }

  private static HttpClient http2(TestServer server, int connections) {
    return server
        .vertx()
        .createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustAll(true)
                .setVerifyHost(false),
            new PoolOptions().setHttp2MaxSize(connections).setMaxWaitQueueSize(10_000));
  }

  private static Future<Buffer> poll(HttpClient client, TestServer server) {
    return client
        .request(HttpMethod.GET, server.port(), "127.0.0.1", "/poll")
        .compose(request -> request.send().compose(HttpClientResponse::body));
  }
}
