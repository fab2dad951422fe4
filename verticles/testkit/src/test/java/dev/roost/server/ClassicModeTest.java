package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.Mode;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ShutdownSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import dev.roost.testkit.TestStream;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `mode: classic`: a handler may block, and holds up nobody but its own client.
class ClassicModeTest {

  private static final int BLOCKED = 50;
  private static final int MANY = 2_000;

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();

  private final RouteSet routes =
      mounted ->
          mounted
              .filter(ClassicModeTest::onItsThread)
              .get("/thread", request -> request.end(thread()))
              .get("/block", this::block)
              .post("/block", this::block)
              .post("/body", request -> request.end(request.body().asString() + thread()))
              .get("/broken", request -> brokenAfter(request.vertx()))
              .get("/await", ClassicModeTest::await)
              .failure(request -> request.response().setStatusCode(500).end(thread()))
              .notFound(request -> request.end("nowhere" + thread()))
              .wsAsync("/socket", s -> s.text(text -> s.send(text + blocked(text) + thread())))
              .wsAsync("/many", s -> IntStream.range(0, MANY).forEach(i -> s.send("message " + i)))
              .sse("/stream", stream -> stream.send(thread()))
              .longPoll("/poll", request -> mounted.topic(thread()));

  @ParameterizedTest
  @EnumSource(Version.class)
  void handlers_that_block_hold_up_no_other_connection_and_no_other_stream(Version version) {
    try (var server = classic()) {
      var blocked = Stream.generate(() -> get(server, version, "/block")).limit(BLOCKED).toList();
      Patience.until("all block at once", () -> waiting.get() == BLOCKED);
      assertThat(Patience.await(get(server, version, "/thread")).body()).isEqualTo("virtual");
      release.countDown();
      assertThat(blocked.stream().map(Patience::await).map(HttpResponse::body))
          .containsOnly("released");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/thread", "/broken", "/nowhere", "/await"})
  void filters_handlers_and_failures_run_on_a_virtual_thread(String path) {
    try (var server = classic()) {
      assertThat(server.get(path).body()).endsWith("virtual");
    }
  }

  @Test
  void a_body_is_read_before_the_handler_runs() {
    try (var server = classic()) {
      assertThat(server.post("/body", "x".repeat(100_000)).body())
          .isEqualTo("x".repeat(100_000) + "virtual");
    }
  }

  @Test
  void a_socket_whose_handler_blocks_holds_up_no_other() {
    try (var server = classic();
        var first = TestSocket.open(server, "/socket").send("block").send("after");
        var second = TestSocket.open(server, "/socket").send("hi")) {
      assertThat(second.receive()).isEqualTo("hi virtual");
      Patience.until("the first one blocks", () -> waiting.get() == 1);
      release.countDown();
      assertThat(List.of(first.receive(), first.receive()))
          .containsExactly("block released virtual", "after virtual");
    }
  }

  @Test
  void streams_and_polls_are_handled_on_a_virtual_thread() {
    try (var server = classic();
        var stream = TestStream.open(server, "/stream")) {
      assertThat(stream.receive()).isEqualTo("data: virtual");
      var poll = get(server, Version.HTTP_1_1, "/poll");
      Patience.until("it waits", () -> server.metric("roost_long_polls_waiting") == 1);
      assertThat(poll).isNotDone();
    }
  }

  @Test
  void blocked_requests_hold_a_continuation_slot_each() {
    try (var server =
        TestServer.serving(routes, s -> s.with(Mode.CLASSIC).with(ReactorSettings.of(1, 2)))) {
      var blocked = Stream.generate(() -> post(server)).limit(5).toList();
      Patience.until(
          "three are shed", () -> server.metric("roost_http_continuation_shed_total") == 3);
      release.countDown();
      Patience.until(
          "two are served",
          () -> blocked.stream().filter(one -> one.isDone() && !failed(one)).count() == 2);
    }
  }

  @Test
  void a_handler_that_sends_much_waits_for_its_client() {
    try (var server = classic();
        var socket = TestSocket.open(server, "/many")) {
      for (var i = 0; i < MANY; i++) {
        assertThat(socket.receive()).isEqualTo("message " + i);
      }
    }
  }

  @Test
  void a_handler_that_outstays_the_drain_timeout_is_interrupted() {
    var soon = new ShutdownSettings(Duration.ZERO, Duration.ofMillis(200));
    try (var server = TestServer.serving(routes, s -> s.with(Mode.CLASSIC).with(soon))) {
      var blocked = get(server, Version.HTTP_1_1, "/block");
      Patience.until("it blocks", () -> waiting.get() == 1);
      TestServer.await(server.roost().close());
      Patience.until("it is interrupted", () -> interrupted.get() == 1);
      Patience.until("its client is told", blocked::isDone);
    }
  }

  private TestServer classic() {
    return TestServer.serving(routes, settings -> settings.with(Mode.CLASSIC));
  }

  private static boolean failed(CompletableFuture<?> answer) {
    return answer.isCompletedExceptionally();
  }

  private static void onItsThread(RoutingContext request) {
    if (Thread.currentThread().isVirtual()) {
      request.next();
    } else {
      request.fail(418);
    }
  }

  private static String thread() {
    return (Thread.currentThread().isVirtual() ? "virtual" : "no virtual thread");
  }

  private void block(RoutingContext request) {
    request.end(blocked("block").strip());
  }

  private String blocked(String text) {
    if (!text.equals("block")) {
      return " ";
    }
    waiting.incrementAndGet();
    try {
      release.await();
      return " released ";
    } catch (InterruptedException failure) {
      interrupted.incrementAndGet();
      throw new IllegalStateException(failure);
    }
  }

  private static void brokenAfter(Vertx vertx) {
    vertx.timer(1).await();
    throw new IllegalStateException("broken");
  }

  private static void await(RoutingContext request) {
    var number = request.vertx().executeBlocking(() -> 42).await();
    request.end(number + thread());
  }

  private static CompletableFuture<HttpResponse<String>> get(
      TestServer server, Version version, String path) {
    var request = HttpRequest.newBuilder(server.uri(path)).version(version).build();
    return server.client().sendAsync(request, BodyHandlers.ofString());
  }

  private CompletableFuture<HttpResponse<String>> post(TestServer server) {
    var request =
        HttpRequest.newBuilder(server.uri("/block"))
            .POST(HttpRequest.BodyPublishers.noBody()) // a GET would be tried again by the client
            .build();
    return server.client().sendAsync(request, BodyHandlers.ofString());
  }
}
