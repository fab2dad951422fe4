package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A connection on which nothing moves for `http.keep-alive-timeout` is closed, and no other.
class IdleTimeoutTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /// What the kernel's clock may be behind ours.
  private static final Duration TICK = Duration.ofMillis(20);

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final RouteSet routes =
      r ->
          r.get("/", c -> c.end("once"))
              .get("/late", c -> c.vertx().setTimer(400, _ -> c.end("late")))
              .wsAsync("/socket", s -> s.text(s::send));

  @Test
  void an_idle_connection_is_closed_and_not_before_its_time() {
    try (var server = TestServer.serving(routes, IdleTimeoutTest::hasty);
        var client = RawConnection.to(server)) {
      client.send(GET);
      assertThat(client.answer().body()).isEqualTo("once");
      assertThat(took(client::rest)).isBetween(TIMEOUT.minus(TICK), Patience.LIMIT);
    }
  }

  @Test
  void so_is_one_that_has_sent_half_a_head() {
    try (var server = TestServer.serving(routes, IdleTimeoutTest::hasty);
        var client = RawConnection.to(server)) {
      client.send("GET / HTTP/1.1\r\nHo");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void one_that_is_used_stays() {
    try (var server = TestServer.serving(routes, IdleTimeoutTest::hasty);
        var client = RawConnection.to(server)) {
      for (var sent = 0; sent < 5; sent++) { // two timeouts in all
        client.send("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(client.answer().body()).isEqualTo("late");
      }
    }
  }

  @Test
  void on_http2_it_is_told_to_leave_first() throws IOException {
    try (var server = TestServer.serving(routes, IdleTimeoutTest::hasty);
        var client = Http2Peer.of(server, 1 << 16)) {
      var stream = client.get("/");
      client.take(Set.of(stream));
      client.untilClosed();
      assertThat(client.lastTaken()).isEqualTo(stream);
    }
  }

  @Test
  void a_websocket_is_none_of_them() {
    try (var server = TestServer.serving(routes, IdleTimeoutTest::hasty);
        var socket = TestSocket.open(server, "/socket")) {
      var other = new CompletableFuture<Void>();
      server.vertx().setTimer(TIMEOUT.multipliedBy(2).toMillis(), _ -> other.complete(null));
      Patience.await(other);
      socket.send("still here");
      assertThat(socket.receive()).isEqualTo("still here");
    }
  }

  private static Duration took(Supplier<String> rest) {
    var before = System.nanoTime();
    assertThat(rest.get()).isEmpty();
    return Duration.ofNanos(System.nanoTime() - before);
  }

  private static ServerSettings hasty(ServerSettings settings) {
    var http = settings.http();
    return settings
        .with(ParkSettings.off())
        .with(
            new HttpSettings(
                http.headerBytesMax(), http.bodyBytesMax(), TIMEOUT, http.sendTimeout()));
  }
}
