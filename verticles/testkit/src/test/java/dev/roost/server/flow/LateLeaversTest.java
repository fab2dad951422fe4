package dev.roost.server.flow;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.Mode;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A client that leaves while a filter takes its time leaves nothing behind.
class LateLeaversTest {

  private static final List<String> GAUGES =
      List.of(
          "roost_http_requests_in_flight",
          "roost_event_streams_open",
          "roost_long_polls_waiting",
          "roost_blocking_handlers_active");

  private final Queue<Runnable> filtered = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean gone = new AtomicBoolean();
  private final AtomicBoolean served = new AtomicBoolean();

  private final RouteSet routes =
      mounted ->
          mounted
              .filter(this::hold)
              .longPoll("/poll", _ -> mounted.topic("news"))
              .sse("/stream", stream -> stream.follow(mounted.topic("news")))
              .wsAsync("/async", socket -> socket.follow(mounted.topic("news")))
              .ws("/blocking", socket -> socket.receive());

  @ParameterizedTest
  @CsvSource({
    "REACTOR, /poll", "REACTOR, /stream", "REACTOR, /async", "REACTOR, /blocking",
    "CLASSIC, /poll", "CLASSIC, /stream", "CLASSIC, /async", "CLASSIC, /blocking"
  })
  void on_http1(Mode mode, String path) {
    try (var server = TestServer.serving(routes, settings -> settings.with(mode))) {
      try (var socket = RawSocket.connect(server)) {
        socket.send(RawSocket.handshake(path).getBytes(StandardCharsets.US_ASCII));
        Patience.until("it is held", () -> !filtered.isEmpty());
      }
      Patience.until("it is gone", gone::get);
      assertNothingLeft(server);
    }
  }

  @ParameterizedTest
  @CsvSource({"REACTOR, /poll", "REACTOR, /stream", "CLASSIC, /poll", "CLASSIC, /stream"})
  void on_http2(Mode mode, String path) {
    var outside = Vertx.vertx();
    var client = http2(outside); // Vert.x closes one that nobody refers to
    try (var server = TestServer.serving(routes, settings -> settings.with(mode))) {
      var asked =
          TestServer.await(client.request(HttpMethod.GET, server.port(), "127.0.0.1", path));
      var _ = asked.send();
      Patience.until("it is held", () -> !filtered.isEmpty());
      var _ = asked.reset();
      Patience.until("it is gone", gone::get);
      assertNothingLeft(server);
    } finally {
      TestServer.await(client.close());
      TestServer.await(outside.close());
    }
  }

  private static HttpClient http2(Vertx vertx) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setUseAlpn(true)
            .setSsl(true)
            .setTrustAll(true)
            .setVerifyHost(false));
  }

  private void hold(RoutingContext request) {
    var here = ContextInternal.current();
    request.addEndHandler(_ -> gone.set(true));
    filtered.add(() -> here.runOnContext(_ -> goOn(here, request)));
  }

  private void goOn(ContextInternal here, RoutingContext request) {
    request.next();
    here.nettyEventLoop().execute(() -> served.set(true)); // behind the server's own steps
  }

  private void assertNothingLeft(TestServer server) {
    filtered.remove().run();
    Patience.until("it has gone on", served::get);
    for (var gauge : GAUGES) {
      Patience.until(gauge, () -> server.metric(gauge) == 0);
    }
  }
}
