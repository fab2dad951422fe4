package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.Mode;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.websocket.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A server that is told to stop while hundreds of each kind are open ends each as it should.
class ManyEndsTest {

  private static final int MANY = 200;
  private static final int DEFERRED = 20;

  private final Queue<Deferred> deferred = new ConcurrentLinkedQueue<>();

  private final AtomicInteger sockets = new AtomicInteger();

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/deferred", request -> deferred.add(Deferred.of(request)))
              .longPoll("/poll", _ -> mounted.topic("news"))
              .sse("/stream", stream -> stream.follow(mounted.topic("news")))
              .wsAsync("/async", socket -> open(socket.follow(mounted.topic("news"))))
              .ws("/blocking", socket -> open(socket).receive());

  private final Vertx outside = Vertx.vertx();
  private final HttpClient http =
      outside.createHttpClient(
          new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false),
          new PoolOptions().setHttp1MaxSize(1_000));
  private final WebSocketClient webSockets =
      outside.createWebSocketClient(
          new WebSocketClientOptions()
              .setSsl(true)
              .setTrustAll(true)
              .setVerifyHost(false)
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
      var streams = times(MANY, () -> ask(server, "/stream").compose(HttpClientResponse::body));
      var polls = times(MANY, () -> ask(server, "/poll").map(HttpClientResponse::statusCode));
      var late = times(DEFERRED, () -> ask(server, "/deferred").compose(HttpClientResponse::body));
      var async = times(MANY / 2, () -> closeCode(server, "/async"));
      var blocking = times(MANY / 2, () -> closeCode(server, "/blocking"));
      untilAllAreOpen(server);
      var stopped = server.roost().close();
      assertThat(all(polls)).containsOnly(204).hasSize(MANY);
      assertThat(all(streams)).allMatch(b -> b.toString().endsWith(": the server is going away\n\n"));
      assertThat(Stream.of(async, blocking).map(ManyEndsTest::all).flatMap(List::stream))
          .hasSize(MANY)
          .containsOnly((short) 1001);
      deferred.forEach(answer -> answer.respond("late"));
      assertThat(all(late)).allMatch(body -> body.toString().equals("late"));
      TestServer.await(stopped);
      assertThat(log.warningsFrom("dev.roost", "io.netty", "io.vertx.core.impl")).isEmpty();
    }
  }

  private TestServer serving(Mode mode) {
    return TestServer.serving(routes, s -> s.with(mode).with(ReactorSettings.of(2)));
  }

  private void untilAllAreOpen(TestServer server) {
    Patience.until("polls wait", () -> server.metric("roost_long_polls_waiting") == MANY);
    Patience.until("streams are open", () -> server.metric("roost_event_streams_open") == MANY);
    Patience.until("answers are deferred", () -> deferred.size() == DEFERRED);
    Patience.until("sockets are open", () -> sockets.get() == MANY);
  }

  private <T> T open(T socket) {
    sockets.incrementAndGet();
    return socket;
  }

  private Future<HttpClientResponse> ask(TestServer server, String path) {
    return http.request(HttpMethod.GET, server.port(), "127.0.0.1", path)
        .compose(request -> request.send());
  }

  private Future<Short> closeCode(TestServer server, String path) {
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
