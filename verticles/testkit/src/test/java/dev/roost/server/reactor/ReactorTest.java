package dev.roost.server.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/// How many connections the loops take, and whether they turn.
class ReactorTest {

  private static final String REQUEST = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";
  private static final String REFUSED = "roost_connections_refused_total";
  private static final String BLOCKED = "roost_event_loop_blocked_total";

  private final CountDownLatch release = new CountDownLatch(1);

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/now", request -> request.end("now"))
              .get("/slow/:id", this::block)
              .wsAsync("/socket", _ -> {});

  @Test
  void a_connection_beyond_the_bound_is_answered_503_and_closed() {
    try (var server = TestServer.serving(routes, connections(2));
        var first = RawConnection.to(server);
        var second = RawConnection.to(server)) {
      List.of(first, second).forEach(ReactorTest::assertServed);
      assertThirdIsRefused(server);
      List.of(first, second).forEach(ReactorTest::assertServed);
    }
  }

  private static void assertThirdIsRefused(TestServer server) {
    try (var third = RawConnection.to(server)) {
      third.send(REQUEST);
      var refusal = third.answer();
      assertThat(refusal.status()).isEqualTo(503);
      assertThat(refusal.headers()).containsEntry("connection", "close").containsKey("retry-after");
      assertThat(third.rest()).isEmpty();
      assertThat(server.metric(REFUSED)).isEqualTo(1);
    }
  }

  @Test
  void a_connection_that_closes_makes_room_even_if_it_has_become_a_socket() {
    try (var server = TestServer.serving(routes, connections(1))) {
      for (var i = 0; i < 3; i++) {
        TestSocket.open(server, "/socket").close();
        Patience.until("there is room", () -> served(server));
      }
    }
  }

  @Test
  void a_refused_connection_that_asks_nothing_closes_by_itself() {
    try (var server = TestServer.serving(routes, connections(1));
        var first = RawConnection.to(server)) {
      assertServed(first);
      try (var second = RawConnection.to(server)) {
        assertThat(second.rest()).isEmpty();
      }
      assertServed(first);
    }
  }

  @Test
  void on_http2_a_connection_beyond_the_bound_is_answered_503_too() throws Exception {
    try (var server = TestServer.serving(routes, connections(1));
        var first = RawConnection.to(server)) {
      assertServed(first);
      var request = HttpRequest.newBuilder(server.uri("/now")).version(Version.HTTP_2).build();
      assertThat(server.client().send(request, BodyHandlers.ofString()).statusCode())
          .isEqualTo(503);
      assertServed(first);
    }
  }

  @Test
  void a_handler_that_blocks_its_loop_is_counted_and_named_in_one_line() {
    var lines = new Lines();
    try (lines;
        var server = TestServer.serving(routes, blockedAfter(Duration.ofMillis(100)))) {
      var before = server.metric(BLOCKED);
      var answer = server.client().sendAsync(slow(server), BodyHandlers.ofString());
      Patience.until("it is noticed", () -> server.metric(BLOCKED) == before + 1);
      release.countDown();
      assertThat(Patience.await(answer).statusCode()).isEqualTo(200);
      assertThat(lines.lines)
          .filteredOn(line -> line.contains("GET /slow/:id"))
          .singleElement()
          .asString()
          .contains("has been blocked for", "ReactorTest.block(ReactorTest.java:");
      assertThat(lines.lines).noneMatch(line -> line.contains("secret"));
    }
  }

  @Test
  void the_delay_of_the_loops_is_a_histogram() {
    try (var server = TestServer.serving(routes)) {
      Patience.until(
          "it is measured", () -> server.metric("roost_event_loop_delay_seconds_count") > 1);
      assertThat(server.management("/metrics").body())
          .contains("roost_event_loop_delay_seconds_bucket{le=\"0.025\"}");
    }
  }

  private void block(RoutingContext request) {
    try {
      release.await();
      request.end("slow");
    } catch (InterruptedException failure) {
      request.fail(failure);
    }
  }

  private static HttpRequest slow(TestServer server) {
    return HttpRequest.newBuilder(server.uri("/slow/secret")).build();
  }

  private static void assertServed(RawConnection client) {
    client.send(REQUEST);
    assertThat(client.answer().body()).isEqualTo("now");
  }

  private static boolean served(TestServer server) {
    try (var client = RawConnection.to(server)) {
      client.send(REQUEST);
      return client.answer().status() == 200;
    }
  }

  private static UnaryOperator<ServerSettings> connections(int max) {
    return settings ->
        settings.with(new ReactorSettings(1, 8_192, max, settings.reactor().blockedAfter()));
  }

  private static UnaryOperator<ServerSettings> blockedAfter(Duration after) {
    return settings -> settings.with(new ReactorSettings(1, 8_192, 1_000, after));
  }

  /// What the watch logs.
  private static final class Lines extends Handler implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("dev.roost.server.reactor.LoopWatch");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    Lines() {
      setFormatter(new SimpleFormatter());
      LOG.addHandler(this);
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(getFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      LOG.removeHandler(this);
    }
  }
}
