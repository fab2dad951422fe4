package dev.roost.server.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.Mode;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.StreamSettings;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A server that is told to stop while hundreds of each kind are open ends each as it should.
@Isolated // what others log is none of its business
class ManyEndsTest {

  private static final int MANY = 100;
  private static final int DEFERRED = 20;

  /// Longer than it takes to open them all on a busy machine.
  private static final Duration PATIENT = Duration.ofMinutes(5);

  private final Queue<Deferred> deferred = new ConcurrentLinkedQueue<>();

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger sockets = new AtomicInteger();

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/deferred", request -> deferred.add(Deferred.of(request, PATIENT)))
              .longPoll("/poll", _ -> mounted.topic("news"))
              .sse("/stream", stream -> stream.follow(mounted.topic("news")))
              .wsAsync("/async", socket -> open(socket.follow(mounted.topic("news"))))
              .ws("/blocking", socket -> open(socket).receive());

  private final Vertx outside = Vertx.vertx();
  private final HttpClient http =
      outside.createHttpClient(
          new HttpClientOptions()
              .setSsl(true)
              .setTrustAll(true)
              .setVerifyHost(false)
              .setSslEngineOptions(new OpenSSLEngineOptions()),
          new PoolOptions().setHttp1MaxSize(1_000));
  private final WebSocketClient webSockets =
      outside.createWebSocketClient(
          new WebSocketClientOptions()
              .setSsl(true)
              .setTrustAll(true)
              .setVerifyHost(false)
              .setSslEngineOptions(new OpenSSLEngineOptions())
              .setMaxConnections(1_000));

  @AfterEach
  void leave() {
    TestServer.await(outside.close());
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void hundreds_of_each_kind_end_in_order_and_nothing_is_logged(Mode mode) {
    try (var log = Logged.everything();
        var server = serving(mode)) {
      var polls = times(MANY, () -> ask(server, "/poll").map(HttpClientResponse::statusCode));
      Patience.until("polls wait", () -> server.metric("roost_long_polls_waiting") == MANY);
      var streams = times(MANY, () -> ask(server, "/stream").compose(HttpClientResponse::body));
      Patience.until("streams are open", () -> server.metric("roost_event_streams_open") == MANY);
      var late = times(DEFERRED, () -> ask(server, "/deferred").compose(HttpClientResponse::body));
      Patience.until("answers are deferred", () -> deferred.size() == DEFERRED);
      var codes = times(MANY, () -> closeCode(server));
      Patience.until("sockets are open", () -> sockets.get() == MANY);
      assertAllEnd(server, new Open(polls, streams, late, codes));
      assertThat(log.warningsFrom("dev.roost", "io.netty", "io.vertx.core.impl")).isEmpty();
    }
  }

  /// What its clients wait for.
  private record Open(
      List<Future<Integer>> polls,
      List<Future<Buffer>> streams,
      List<Future<Buffer>> late,
      List<Future<Short>> codes) {}

  private void assertAllEnd(TestServer server, Open open) {
    var stopped = server.roost().close();
    assertThat(all(open.polls())).containsOnly(204);
    assertThat(all(open.streams()))
        .allMatch(body -> body.toString().endsWith(": the server is going away\n\n"));
    assertThat(all(open.codes())).containsOnly((short) 1001);
    deferred.forEach(answer -> answer.respond("late"));
    assertThat(all(open.late())).containsOnly(Buffer.buffer("late"));
    TestServer.await(stopped);
  }

  private TestServer serving(Mode mode) {
    return TestServer.serving(
        routes,
        s ->
            s.with(mode)
                .with(new ReactorSettings(2, 8_192, 10_000, PATIENT))
                .with(new HttpSettings(8 << 10, 1 << 20, PATIENT, PATIENT))
                .with(
                    new StreamSettings(Duration.ofSeconds(15), 256, PATIENT.dividedBy(2), 1_024)));
  }

  private <T> T open(T socket) {
    sockets.incrementAndGet();
    return socket;
  }

  private Future<HttpClientResponse> ask(TestServer server, String path) {
    return http.request(HttpMethod.GET, server.port(), "127.0.0.1", path)
        .compose(request -> request.send());
  }

  /// Of sockets of both kinds in turn.
  private Future<Short> closeCode(TestServer server) {
    var path = asked.getAndIncrement() % 2 == 0 ? "/async" : "/blocking";
    return webSockets
        .connect(server.port(), "127.0.0.1", path)
        .compose(
            socket ->
                Future.future(
                    told -> socket.closeHandler(_ -> told.complete(socket.closeStatusCode()))));
  }

  private static <T> List<Future<T>> times(int count, Supplier<Future<T>> asked) {
    return Stream.generate(asked).limit(count).toList();
  }

  private static <T> List<T> all(List<Future<T>> asked) {
    return asked.stream().map(TestServer::await).toList();
  }
}
