package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.http.ConnectionFacts;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.settings.ListenSettings;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import dev.roost.testkit.TestStream;
import dev.roost.testkit.TrustAll;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The server as a whole: it starts as one, serves from every loop, and stops in order.
class RoostTest {

  private static final RouteSet HELLO =
      routes -> routes.get("/", request -> request.end("hello\n"));

  @Test
  void every_instance_serves_the_one_port() {
    Set<String> loops = ConcurrentHashMap.newKeySet();
    RouteSet routes = mounted -> mounted.get("/", request -> request.end(threadInto(loops)));
    try (var server =
        TestServer.serving(routes, settings -> settings.with(ReactorSettings.of(3)))) {
      Patience.until(
          "three loops have answered", () -> onNewConnection(server) && loops.size() == 3);
    }
  }

  @Test
  void a_port_in_use_stops_the_start() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var listen = new ListenSettings("127.0.0.1", taken.getLocalPort(), "127.0.0.1", 0);
      assertThatThrownBy(() -> TestServer.serving(HELLO, settings -> settings.with(listen)))
          .isInstanceOf(StartRefusal.class)
          .hasMessage("server.port: %s cannot be bound: Address already in use", listen.address())
          .extracting(failure -> ((StartRefusal) failure).stage())
          .isEqualTo(StartRefusal.Stage.BIND);
    }
  }

  @Test
  void one_instance_that_fails_stops_them_all() {
    var started = new AtomicInteger();
    var closed = new AtomicInteger();
    assertThatThrownBy(
            () ->
                TestServer.servingEach(
                    _ ->
                        started.incrementAndGet() == 2
                            ? Future.failedFuture("the second one breaks")
                            : Future.succeededFuture(new Counted(closed)),
                    settings -> settings.with(ReactorSettings.of(2))))
        .hasMessageContaining("the second one breaks");
    assertThat(closed).hasValue(1);
  }

  @Test
  void what_was_mounted_is_closed_where_the_bind_fails() throws IOException {
    var closed = new AtomicInteger();
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var listen = new ListenSettings("127.0.0.1", taken.getLocalPort(), "127.0.0.1", 0);
      assertThatThrownBy(
              () -> TestServer.serving(new Counted(closed), settings -> settings.with(listen)))
          .isInstanceOf(StartRefusal.class);
    }
    assertThat(closed).hasValue(1);
  }

  @Test
  void probes_are_answered_while_every_loop_is_held_up() {
    var release = new CountDownLatch(1);
    var held = new CountDownLatch(2);
    RouteSet routes = mounted -> mounted.get("/", request -> request.end(hold(held, release)));
    try (var server =
        TestServer.serving(routes, settings -> settings.with(ReactorSettings.of(2)))) {
      try {
        var request = HttpRequest.newBuilder(server.uri("/")).build();
        var _ = server.client().sendAsync(request, BodyHandlers.discarding());
        var _ = server.client().sendAsync(request, BodyHandlers.discarding());
        Patience.until("both loops are held", () -> held.getCount() == 0);
        assertThat(server.metric("roost_http_requests_in_flight")).isEqualTo(2);
      } finally {
        release.countDown();
      }
    }
  }

  @Test
  void readiness_liveness_and_start_are_told_on_the_management_port() {
    try (var server = TestServer.serving(HELLO)) {
      assertThat(server.management("/livez").statusCode()).isEqualTo(200);
      assertThat(server.management("/readyz").statusCode()).isEqualTo(200);
      assertThat(server.management("/startedz").statusCode()).isEqualTo(200);
      assertThat(server.management("/nothing").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_request_in_flight_is_answered_while_the_server_stops() {
    Queue<RoutingContext> suspended = new ConcurrentLinkedQueue<>();
    try (var server = TestServer.serving(routes -> routes.get("/", suspended::add))) {
      var request = HttpRequest.newBuilder(server.uri("/")).build();
      var answer = server.client().sendAsync(request, BodyHandlers.ofString());
      Patience.until("it is in flight", () -> !suspended.isEmpty());
      var stopped = server.roost().close();
      assertThat(server.management("/livez").statusCode()).isEqualTo(200);
      assertThat(server.management("/readyz").statusCode()).isEqualTo(503);
      server.vertx().runOnContext(_ -> suspended.remove().end("late, but there\n"));
      assertThat(Patience.await(answer).body()).isEqualTo("late, but there\n");
      TestServer.await(stopped);
    }
  }

  @Test
  void streams_and_sockets_are_told_when_the_server_stops() {
    RouteSet routes = mounted -> mounted.sse("/stream", _ -> {}).wsAsync("/socket", _ -> {});
    try (var server = TestServer.serving(routes);
        var stream = TestStream.open(server, "/stream");
        var socket = TestSocket.open(server, "/socket")) {
      var stopped = server.roost().close();
      assertThat(stream.receive()).isEqualTo(": the server is going away");
      assertThat(stream.receive()).isEqualTo(TestStream.END);
      assertThat(socket.closeCode()).isEqualTo(1001);
      TestServer.await(stopped);
    }
  }

  @Test
  void a_header_cannot_falsify_the_facts_of_a_connection() {
    RouteSet routes =
        mounted -> mounted.get("/", request -> request.end(ConnectionFacts.of(request).toString()));
    try (var server = TestServer.serving(routes)) {
      var request = HttpRequest.newBuilder(server.uri("/")).header("x-forwarded-for", "10.9.8.7");
      assertThat(server.send(request).body())
          .contains("scheme=https", "client=127.0.0.1", "protocol=HTTP/1.1", "TLSv1.3");
    }
  }

  @Test
  void a_handler_that_throws_answers_500_and_tells_the_client_nothing() {
    RouteSet routes =
        mounted ->
            mounted.get(
                "/",
                _ -> {
                  throw new IllegalStateException("secret of the house");
                });
    try (var server = TestServer.serving(routes)) {
      assertThat(server.get("/").statusCode()).isEqualTo(500);
      assertThat(server.get("/").body()).isEqualTo("500 Internal Server Error\n");
    }
  }

  /// Opens a connection of its own, since a kept one stays with its loop.
  private static boolean onNewConnection(TestServer server) {
    var request = HttpRequest.newBuilder(server.uri("/")).version(HttpClient.Version.HTTP_1_1);
    try (var client = HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      return client.send(request.build(), BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  private static String hold(CountDownLatch held, CountDownLatch release) {
    held.countDown();
    try {
      release.await();
      return "released\n";
    } catch (InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static String threadInto(Set<String> names) {
    names.add(Thread.currentThread().getName());
    return "hello\n";
  }

  /// Counts how often it is closed.
  private record Counted(AtomicInteger closed) implements RouteSet {
    @Override
    public void mount(Routes routes) {
      HELLO.mount(routes);
    }

    @Override
    public Future<Void> close() {
      closed.incrementAndGet();
      return Future.succeededFuture();
    }
  }
}
