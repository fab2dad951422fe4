package dev.roost.server.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import dev.roost.testkit.TestStream;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One message reaches sockets, streams and polls alike, on whichever loop they are.
class FanOutTest {

  private final Set<String> loops = ConcurrentHashMap.newKeySet();

  private final RouteSet routes =
      mounted -> {
        var news = mounted.topic("news");
        mounted
            .sse("/stream", stream -> stream.follow(here(news)))
            .wsAsync("/socket", socket -> socket.follow(here(news)))
            .longPoll("/poll", _ -> here(news))
            .post(
                "/news",
                request ->
                    news.publish(String.valueOf(request.body().asString()))
                        .onSuccess(request::end));
      };

  @Test
  void every_kind_of_follower_on_every_loop_gets_one_message() {
    try (var server = TestServer.serving(routes, s -> s.with(ReactorSettings.of(3)))) {
      var sockets = Stream.generate(() -> TestSocket.open(server, "/socket")).limit(8).toList();
      var streams = Stream.of(Version.values()).map(v -> stream(server, v)).toList();
      var poll = HttpRequest.newBuilder(server.uri("/poll")).build();
      var answer = server.client().sendAsync(poll, BodyHandlers.ofString());
      Patience.until("it waits", () -> server.metric("roost_long_polls_waiting") == 1);
      server.post("/news", "for all");
      assertThat(sockets).allSatisfy(socket -> assertThat(socket.receive()).isEqualTo("for all"));
      assertThat(streams).allSatisfy(s -> assertThat(s.receive()).endsWith("|data: for all"));
      assertThat(Patience.await(answer).body()).contains("\"data\":\"for all\"");
      assertThat(loops).hasSizeGreaterThan(1);
    }
  }

  @Test
  void a_follower_that_fails_keeps_no_other_from_its_messages() {
    RouteSet withBroken =
        mounted -> routes.mount(mounted.get("/broken", r -> followBroken(mounted, r)));
    try (var server = TestServer.serving(withBroken)) {
      assertThat(server.get("/broken").body()).isEqualTo("follows");
      var stream = stream(server, Version.HTTP_1_1);
      server.post("/news", "one");
      assertThat(stream.receive()).endsWith("|data: one");
      server.post("/news", "two");
      assertThat(stream.receive()).endsWith("|data: two");
    }
  }

  @Test
  void a_message_that_is_too_large_is_answered_413() {
    try (var server = TestServer.serving(routes)) {
      assertThat(server.post("/news", "x".repeat(200_000)).statusCode()).isEqualTo(413);
      assertThat(server.metric("roost_topics_refused_total{reason=\"too_big\"}")).isEqualTo(1);
    }
  }

  private static void followBroken(Routes routes, RoutingContext request) {
    routes
        .topic("news")
        .follow(
            Optional.empty(),
            new Subscriber() {
              @Override
              public void messages(Batch batch) {
                throw new IllegalStateException("broken");
              }

              @Override
              public void gap(String id) {}
            });
    request.end("follows");
  }

  private Topic here(Topic topic) {
    loops.add(Thread.currentThread().getName());
    return topic;
  }

  private static TestStream stream(TestServer server, Version version) {
    return TestStream.open(server, HttpRequest.newBuilder(server.uri("/stream")).version(version));
  }
}
