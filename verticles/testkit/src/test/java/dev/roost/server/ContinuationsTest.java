package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A loop's bound on requests that wait for their answer.
class ContinuationsTest {

  private static final String SHED = "roost_http_continuation_shed_total";

  private final Queue<RoutingContext> suspended = new ConcurrentLinkedQueue<>();

  private final RouteSet routes =
      mounted ->
          mounted.post("/suspend", suspended::add).get("/now", request -> request.end("now\n"));

  private TestServer withSlots(int slots) {
    return TestServer.serving(routes, settings -> settings.with(ReactorSettings.of(1, slots)));
  }

  @Test
  void requests_beyond_the_slots_are_shed_and_counted() {
    try (var server = withSlots(3)) {
      suspend(server, 3);
      var shed = Stream.generate(() -> post(server)).limit(2).toList();
      shed.forEach(ContinuationsTest::assertClosed);
      assertThat(server.metric(SHED)).isEqualTo(2);
      assertThat(server.get("/now").body()).isEqualTo("now\n");
    }
  }

  @Test
  void an_answer_gives_its_slot_back() {
    try (var server = withSlots(1)) {
      for (var i = 0; i < 5; i++) {
        var answer = suspend(server, 1).getFirst();
        answerAll(server);
        assertThat(Patience.await(answer).body()).isEqualTo("later\n");
      }
      assertThat(server.metric(SHED)).isZero();
    }
  }

  @Test
  void a_client_that_leaves_gives_its_slot_back() {
    try (var server = withSlots(1)) {
      suspend(server, 1).getFirst().cancel(true);
      Patience.until("the request has ended", () -> suspended.peek().response().closed());
      suspended.clear();
      suspend(server, 1);
      assertThat(server.metric(SHED)).isZero();
    }
  }

  @Test
  void on_http2_only_the_stream_is_reset() {
    try (var server = withSlots(1)) {
      var first = post(server, Version.HTTP_2);
      Patience.until("one is suspended", () -> suspended.size() == 1);
      assertClosed(post(server, Version.HTTP_2));
      assertThat(server.metric(SHED)).isEqualTo(1);
      answerAll(server);
      assertThat(Patience.await(first).body()).isEqualTo("later\n");
    }
  }

  private List<CompletableFuture<HttpResponse<String>>> suspend(TestServer server, int requests) {
    var answers = Stream.generate(() -> post(server)).limit(requests).toList();
    Patience.until("all are suspended", () -> suspended.size() == requests);
    return answers;
  }

  private void answerAll(TestServer server) {
    for (var request = suspended.poll(); request != null; request = suspended.poll()) {
      var answered = request;
      server.vertx().runOnContext(_ -> answered.end("later\n"));
    }
  }

  private static CompletableFuture<HttpResponse<String>> post(TestServer server) {
    return post(server, Version.HTTP_1_1);
  }

  private static CompletableFuture<HttpResponse<String>> post(TestServer server, Version version) {
    var request =
        HttpRequest.newBuilder(server.uri("/suspend"))
            .version(version)
            .POST(BodyPublishers.noBody()) // a GET would be tried again by the client
            .build();
    return server.client().sendAsync(request, BodyHandlers.ofString());
  }

  private static void assertClosed(CompletableFuture<HttpResponse<String>> answer) {
    var failure = answer.handle((_, thrown) -> thrown);
    assertThat(Patience.await(failure))
        .isInstanceOfAny(CompletionException.class, IOException.class);
  }
}
