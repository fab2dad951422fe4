package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.BlockingSettings;
import dev.roost.server.settings.Mode;
import dev.roost.server.settings.StreamSettings;
import dev.roost.server.settings.WebSocketSettings;
import dev.roost.server.sse.EventStream;
import dev.roost.server.websocket.AsyncSocket;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Deferred answers, slow readers and blocking handlers keep their bounds.
class FlowTest {

  /// 20 MB, more than any socket buffer here.
  private static final int BURST_MAX = 2_000;

  /// 500 MB, as much as the heap.
  private static final int FLOOD_MAX = 500_000;

  private final LinkedBlockingQueue<Deferred> deferred = new LinkedBlockingQueue<>();

  @Test
  void of_many_threads_that_answer_exactly_one_wins() {
    try (var server =
        TestServer.serving(routes -> routes.get("/", r -> deferred.add(Deferred.of(r))))) {
      var answer = server.client().sendAsync(to(server, "/"), BodyHandlers.ofString());
      var late = Patience.poll(deferred);
      var winners = IntStream.range(0, 32).parallel().filter(i -> late.respond("by " + i)).count();
      assertThat(winners).isEqualTo(1);
      assertThat(Patience.await(answer).body()).startsWith("by ");
      assertThat(server.metric("roost_deferred_late_total")).isEqualTo(31);
    }
  }

  @Test
  void a_deferred_answer_that_never_comes_is_504() {
    RouteSet routes = mounted -> mounted.get("/", r -> Deferred.of(r, Duration.ofMillis(50)));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.get("/").statusCode()).isEqualTo(504);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatever_a_handler_throws_is_answered_500(Mode mode) {
    RouteSet routes =
        mounted -> {
          mounted.get("/io", r -> r.fail(new FileNotFoundException("no such file")));
          mounted.get("/deferred", r -> Deferred.of(r).fail(new ConnectException("refused")));
          mounted.get("/header", r -> Deferred.of(r).respond(200, "a\r\nb", Buffer.buffer()));
          mounted.blocking().get("/error", _ -> broken());
          mounted.blocking().get("/blocking", r -> Deferred.of(r).fail(new IOException("broken")));
        };
    try (var server = TestServer.serving(routes, settings -> settings.with(mode))) {
      assertThat(List.of("/io", "/deferred", "/header", "/error", "/blocking"))
          .allMatch(path -> server.get(path).statusCode() == 500);
    }
  }

  private static void broken() {
    throw new AssertionError("broken");
  }

  @Test
  void a_big_field_of_a_form_is_there() {
    RouteSet routes = r -> r.post("/", c -> c.end(c.request().getFormAttribute("field")));
    try (var server = TestServer.serving(routes)) {
      var field = "x".repeat(100_000);
      var form =
          HttpRequest.newBuilder(server.uri("/"))
              .header("content-type", "application/x-www-form-urlencoded")
              .POST(BodyPublishers.ofString("field=" + field));
      assertThat(server.send(form).body()).isEqualTo(field);
    }
  }

  @Test
  void a_filter_and_a_page_that_is_not_there_may_answer_later_too() {
    RouteSet routes =
        mounted ->
            mounted
                .filter(r -> later(r, "/closed", "by the filter"))
                .notFound(r -> later(r, "/nowhere", "nowhere"));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.get("/closed").body()).isEqualTo("by the filter");
      assertThat(server.get("/nowhere").body()).isEqualTo("nowhere");
      assertThat(server.metric("roost_deferred_late_total")).isEqualTo(2);
    }
  }

  @Test
  void a_client_that_leaves_aborts_its_deferred_answer() throws InterruptedException {
    var aborted = new CountDownLatch(1);
    RouteSet routes =
        mounted -> mounted.get("/", r -> deferred.add(Deferred.of(r).aborted(aborted::countDown)));
    try (var server = TestServer.serving(routes)) {
      var answer = server.client().sendAsync(to(server, "/"), BodyHandlers.ofString());
      var late = Patience.poll(deferred);
      answer.cancel(true);
      aborted.await();
      assertThat(late.respond("too late")).isFalse();
    }
  }

  @Test
  void a_stream_whose_client_does_not_read_is_shed() {
    var big = "x".repeat(100_000);
    RouteSet routes = mounted -> mounted.sse("/", stream -> fill(stream, big));
    try (var server = TestServer.serving(routes, settings -> settings.with(outbox(4)));
        var stalled = StalledReader.of(server, "/")) {
      Patience.until(
          "it is shed", () -> server.metric("roost_outbox_shed_total{kind=\"sse\"}") == 1);
      Patience.until("it is gone", () -> server.metric("roost_event_streams_open") == 0);
      assertThat(stalled.isOpen()).isTrue();
    }
  }

  /// One turn of the loop may not write without end either, though nothing tells in between that
  /// the client takes nothing.
  @Test
  void a_burst_in_one_turn_is_shed_too() {
    var sent = new CompletableFuture<Integer>();
    RouteSet routes = mounted -> mounted.sse("/", stream -> sent.complete(sendUntilShed(stream)));
    try (var server = TestServer.serving(routes, settings -> settings.with(outbox(4)));
        var stalled = StalledReader.of(server, "/")) {
      assertThat(Patience.await(sent)).isLessThan(BURST_MAX);
      assertThat(server.metric("roost_outbox_shed_total{kind=\"sse\"}")).isEqualTo(1);
      assertThat(stalled.isOpen()).isTrue();
    }
  }

  private static int sendUntilShed(EventStream stream) {
    var big = "x".repeat(10_000);
    var sent = 0;
    while (sent < BURST_MAX && !stream.send(big).failed()) {
      sent++;
    }
    return sent;
  }

  @Test
  void a_socket_whose_client_does_not_read_is_shed() {
    var big = "x".repeat(100_000);
    RouteSet routes = mounted -> mounted.wsAsync("/", socket -> fill(socket, big));
    try (var server = TestServer.serving(routes, settings -> settings.with(socketOutbox(4)));
        var stalled = StalledReader.upgraded(server, "/")) {
      Patience.until(
          "it is shed", () -> server.metric("roost_outbox_shed_total{kind=\"ws\"}") == 1);
      Patience.until(
          "it is gone", () -> server.metric("roost_websockets_open{kind=\"async\"}") == 0);
      assertThat(stalled.isOpen()).isTrue();
    }
  }

  @Test
  void a_socket_that_another_thread_floods_is_shed() {
    var sent = new CompletableFuture<Integer>();
    RouteSet routes =
        mounted ->
            mounted.wsAsync("/", s -> Thread.ofPlatform().start(() -> sent.complete(flood(s))));
    try (var server = TestServer.serving(routes);
        var stalled = StalledReader.upgraded(server, "/")) {
      assertThat(Patience.await(sent)).isLessThan(FLOOD_MAX);
      Patience.until(
          "it is shed", () -> server.metric("roost_outbox_shed_total{kind=\"ws\"}") == 1);
      assertThat(stalled.isOpen()).isTrue();
    }
  }

  private static int flood(AsyncSocket socket) {
    var kilobyte = "x".repeat(1_000);
    var sent = 0;
    while (sent < FLOOD_MAX && !socket.send(kilobyte).failed()) {
      sent++;
    }
    return sent;
  }

  @Test
  void a_client_that_had_left_before_its_answer_was_deferred_is_told_at_once() {
    var requests = new LinkedBlockingQueue<RoutingContext>();
    var aborted = new CountDownLatch(1);
    try (var server = TestServer.serving(routes -> routes.get("/", requests::add))) {
      var answer = server.client().sendAsync(to(server, "/"), BodyHandlers.ofString());
      var request = Patience.poll(requests);
      answer.cancel(true);
      Patience.until("it has left", () -> request.response().closed());
      var late = Deferred.of(request).aborted(aborted::countDown);
      assertThat(aborted.getCount()).isZero();
      assertThat(late.respond("too late")).isFalse();
    }
  }

  @Test
  void a_silent_stream_has_a_heartbeat() {
    var heartbeat = new StreamSettings(Duration.ofMillis(100), 256, Duration.ofSeconds(25), 1_024);
    try (var server =
            TestServer.serving(routes -> routes.sse("/", _ -> {}), s -> s.with(heartbeat));
        var stream = TestStream.open(server, "/")) {
      assertThat(stream.receive()).isEqualTo(":");
      assertThat(stream.receive()).isEqualTo(":");
    }
  }

  @Test
  void blocking_handlers_beyond_the_bound_answer_503() {
    var release = new CountDownLatch(1);
    RouteSet routes = mounted -> mounted.blocking().get("/", r -> r.end(waitFor(release)));
    try (var server =
        TestServer.serving(routes, settings -> settings.with(new BlockingSettings(1, 64)))) {
      var first = server.client().sendAsync(to(server, "/"), BodyHandlers.ofString());
      Patience.until("one runs", () -> server.metric("roost_blocking_handlers_active") == 1);
      assertThat(server.get("/").statusCode()).isEqualTo(503);
      release.countDown();
      assertThat(Patience.await(first).body()).isEqualTo("released\n");
    }
  }

  private static StreamSettings outbox(int events) {
    return new StreamSettings(Duration.ofSeconds(15), events, Duration.ofSeconds(25), 1_024);
  }

  private static WebSocketSettings socketOutbox(int messages) {
    return new WebSocketSettings(
        1 << 20,
        4 << 20,
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        messages,
        List.of(),
        false);
  }

  private static void fill(AsyncSocket socket, String big) {
    socket.request().vertx().setPeriodic(1, _ -> socket.send(big));
  }

  private static void fill(EventStream stream, String big) {
    stream.request().vertx().setPeriodic(1, _ -> stream.send(big));
  }

  private static void later(RoutingContext request, String path, String text) {
    if (!path.equals(request.normalizedPath())) {
      request.next();
      return;
    }
    var answer = Deferred.of(request);
    answer.respond(text);
    answer.respond("too late");
  }

  private static String waitFor(CountDownLatch latch) {
    try {
      latch.await();
      return "released\n";
    } catch (InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static HttpRequest to(TestServer server, String path) {
    return HttpRequest.newBuilder(server.uri(path)).build();
  }
}
