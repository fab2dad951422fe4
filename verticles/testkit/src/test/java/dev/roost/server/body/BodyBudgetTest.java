package dev.roost.server.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Room for the bodies that are held at once: a quarter of the heap.
class BodyBudgetTest {

  private static final String HELD = "roost_http_bodies_held_bytes";
  private static final int MIB = 1 << 20;
  private static final int FULL = 64 << 10;
  private static final String CHUNK = "%x\r\n%s\r\n".formatted(MIB, "h".repeat(MIB));

  private static final RouteSet LENGTHS =
      r -> r.body(200L * MIB).post("/length", c -> c.end(Integer.toString(c.body().length())));

  @Test
  void a_chunked_body_on_a_route_with_a_high_bound_is_read() {
    try (var server = TestServer.serving(LENGTHS)) {
      assertThat(lengthOf(server, 2)).isEqualTo(Integer.toString(2 * MIB));
      assertThat(lengthOf(server, 20)).isEqualTo(Integer.toString(20 * MIB));
      Patience.until("nothing is held", () -> server.metric(HELD) == 0);
    }
  }

  @Test
  void what_was_only_announced_takes_no_room() {
    try (var server = TestServer.serving(LENGTHS)) {
      var many = Stream.generate(() -> unfinished(server, 200 * MIB)).limit(20).toList();
      Patience.until("they are read", () -> server.metric(HELD) == 20 * "half".length());
      assertThat(server.post("/length", "hoot").body()).isEqualTo("4");
      many.forEach(RawConnection::close);
      Patience.until("nothing is held", () -> server.metric(HELD) == 0);
    }
  }

  @Test
  void bodies_that_fill_it_are_refused_and_counted_and_make_room_when_they_go() {
    try (var metrics = new ServerMetrics();
        var server = TestServer.serving(within(new BodyBudget(MIB, metrics)))) {
      var held = Stream.generate(() -> filled(server)).limit(MIB / FULL).toList();
      Patience.until("they are held", () -> metrics.scrape().contains(HELD + " 1048576.0"));
      try (var refused = filled(server)) {
        assertThat(refused.statusLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
        assertThat(refused.rest()).contains("retry-after: 1").contains("connection: close");
      }
      assertThat(metrics.scrape()).contains("roost_http_bodies_refused_total 1.0");
      held.forEach(RawConnection::close);
      Patience.until("nothing is held", () -> metrics.scrape().contains(HELD + " 0.0"));
      assertThat(server.post("/length", "hoot").body()).isEqualTo("4");
    }
  }

  @Test
  void one_that_no_heap_of_this_size_can_hold_is_refused_at_once() {
    RouteSet routes = r -> r.body(Long.MAX_VALUE).post("/length", c -> c.end());
    try (var server = TestServer.serving(routes);
        var client = unfinished(server, Integer.MAX_VALUE)) {
      assertThat(client.statusLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
      assertThat(server.metric("roost_http_bodies_refused_total")).isEqualTo(1);
    }
  }

  private static String lengthOf(TestServer server, int chunks) {
    try (var client = RawConnection.to(server)) {
      client.send("POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (var i = 0; i < chunks; i++) {
        client.send(CHUNK);
      }
      client.send("0\r\n\r\n");
      return client.answer().body();
    }
  }

  /// The routes, with room for bodies of their own.
  private static RouteSet within(BodyBudget budget) {
    var reader = new BodyReader(budget, new Uploads(Path.of("unused")), MIB);
    return r -> LENGTHS.mount(r.filter(reader));
  }

  /// Has sent all but the last byte.
  private static RawConnection filled(TestServer server) {
    var client = unfinished(server, FULL);
    client.send("h".repeat(FULL - "half".length() - 1));
    return client;
  }

  private static RawConnection unfinished(TestServer server, int length) {
    var client = RawConnection.to(server);
    client.send(
        "POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\nhalf".formatted(length));
    return client;
  }
}
