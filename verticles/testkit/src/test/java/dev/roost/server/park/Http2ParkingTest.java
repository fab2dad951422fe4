package dev.roost.server.park;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.guard.Http2Peer;
import dev.roost.server.http.ConnectionFacts;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Idle HTTP/2 connections are parked, and nobody notices: neither side forgets what it knows of
/// the other (RFC 9113, RFC 7541).
class Http2ParkingTest {

  private static final int WINDOW = 65_535;

  /// The newest field of the dynamic table; the static one ends before it.
  private static final byte NEWEST = (byte) (0x80 | 62);

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/now", request -> request.end("now"))
              .get("/facts", request -> request.end(ConnectionFacts.of(request).toString()))
              .get("/said", request -> request.end(request.request().getHeader("said")))
              .get(
                  "/says",
                  request -> request.response().putHeader("says", "the same").end("said it"))
              .get("/sixty", request -> request.end("z".repeat(60_000)))
              .get("/big", request -> request.end("x".repeat(3_000_000)))
              .post("/echo", request -> request.end(request.body().buffer()));

  @Test
  void a_woken_connection_goes_on() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      for (var parks = 1; parks <= 5; parks++) {
        assertThat(body(client, client.get("/now"))).isEqualTo("now");
        isParked(server, parks);
      }
      assertThat(client.lastTaken()).isEqualTo(Http2Peer.NONE);
    }
  }

  @Test
  void what_is_known_of_a_connection_is_still_known_when_it_wakes() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      var before = body(client, client.get("/facts"));
      isParked(server, 1);
      assertThat(body(client, client.get("/facts")))
          .isEqualTo(before)
          .contains("https", "TLSv1.3", "HTTP/2");
    }
  }

  @Test
  void a_field_that_the_client_named_before_a_park_is_known_after_it() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      var first = client.ask("GET", "/said", remembered("said", "long ago"), true);
      assertThat(body(client, first)).isEqualTo("long ago");
      for (var parks = 1; parks <= 3; parks++) {
        isParked(server, parks);
        var again = client.ask("GET", "/said", new byte[] {NEWEST}, true);
        assertThat(body(client, again)).isEqualTo("long ago");
      }
    }
  }

  @Test
  void a_client_that_has_emptied_the_table_may_fill_it_after_a_park() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      var block = new ByteArrayOutputStream();
      block.write(0x20); // a table of nothing
      block.write(0x82); // GET
      block.write(0x87); // https
      block.writeBytes(literal(":authority", "localhost"));
      block.writeBytes(literal(":path", "/now"));
      var stream = client.begin();
      client.head(stream, block.toByteArray(), 5);
      assertThat(body(client, stream)).isEqualTo("now");
      isParked(server, 1);
      var second = client.ask("GET", "/said", remembered("said", "unkept"), true);
      assertThat(body(client, second)).isEqualTo("unkept");
    }
  }

  @Test
  void fields_of_answers_are_read_right_after_every_park() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      for (var parks = 1; parks <= 3; parks++) {
        for (var twice = 0; twice < 2; twice++) {
          var stream = client.get("/says");
          assertThat(body(client, stream)).isEqualTo("said it");
          assertThat(client.answer(stream).head.get("says")).hasToString("the same");
        }
        isParked(server, parks);
      }
    }
  }

  @Test
  void a_client_may_forbid_the_table_after_a_park() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      assertThat(body(client, client.get("/says"))).isEqualTo("said it");
      isParked(server, 1);
      client.setting(1, 0);
      client.untilSet(2);
      isParked(server, 2);
      for (var twice = 0; twice < 2; twice++) {
        assertThat(body(client, client.get("/says"))).isEqualTo("said it");
      }
    }
  }

  @Test
  void windows_are_right_after_parks_for_more_than_they_hold() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      var body = "y".repeat(200_000);
      for (var parks = 1; parks <= 3; parks++) {
        var stream = client.post("/echo", body.getBytes(UTF_8));
        assertThat(body(client, stream)).isEqualTo(body);
        assertThat(body(client, client.get("/big"))).hasSize(3_000_000);
        isParked(server, parks);
      }
    }
  }

  @Test
  void little_that_is_left_of_the_window_for_all_stays_little() throws IOException {
    try (var server = parking();
        var client = Http2Peer.withoutWindow(server, WINDOW)) {
      assertThat(body(client, client.get("/sixty"))).hasSize(60_000);
      isParked(server, 1);
      var stream = client.get("/sixty");
      client.until(stream, WINDOW - 60_000);
      client.ping(1);
      assertThat(client.answer(stream).body.size()).isEqualTo(WINDOW - 60_000);
      client.grow(0, 60_000);
      assertThat(body(client, stream)).hasSize(60_000);
    }
  }

  @Test
  void a_window_of_streams_that_is_set_after_a_park_holds_after_the_next() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      client.untilSet(1);
      client.ping(1);
      isParked(server, 1);
      client.initialWindow(20_000);
      client.untilSet(2);
      isParked(server, 2);
      var stream = client.get("/sixty");
      client.until(stream, 20_000);
      client.ping(2);
      assertThat(client.answer(stream).body.size()).isEqualTo(20_000);
      assertThat(body(client, stream)).hasSize(60_000);
    }
  }

  @Test
  void a_ping_is_answered_and_parks_again() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      for (var parks = 1; parks <= 3; parks++) {
        client.ping(parks);
        isParked(server, parks);
      }
      assertThat(server.metric("roost_connections_wakes_total")).isEqualTo(2);
    }
  }

  @Test
  void what_is_said_of_a_stream_that_ended_before_a_park_is_no_error() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      var old = client.get("/now");
      assertThat(body(client, old)).isEqualTo("now");
      isParked(server, 1);
      client.grow(old, 10);
      client.cancel(old);
      assertThat(body(client, client.get("/now"))).isEqualTo("now");
    }
  }

  @Test
  void javas_own_client_notices_nothing() throws Exception {
    try (var server = parking();
        var client = HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      var request = HttpRequest.newBuilder(server.uri("/says")).header("said", "often").build();
      for (var parks = 1; parks <= 5; parks++) {
        var answer = client.send(request, BodyHandlers.ofString());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.headers().firstValue("says")).contains("the same");
        isParked(server, parks);
      }
    }
  }

  private String body(Http2Peer client, int stream) throws IOException {
    client.take(Set.of(stream));
    assertThat(client.answer(stream).reset).isFalse();
    return client.answer(stream).body.toString(UTF_8);
  }

  /// With incremental indexing (RFC 7541, 6.2.1).
  private static byte[] remembered(String name, String value) {
    var field = literal(name, value);
    field[0] = 0x40;
    return field;
  }

  private static byte[] literal(String name, String value) {
    var field = new ByteArrayOutputStream();
    field.write(0);
    field.write(name.length());
    field.writeBytes(name.getBytes(US_ASCII));
    field.write(value.length());
    field.writeBytes(value.getBytes(US_ASCII));
    return field.toByteArray();
  }

  private TestServer parking() {
    return TestServer.serving(routes, Http2ParkingTest::parking);
  }

  private static ServerSettings parking(ServerSettings settings) {
    return settings.with(
        new ParkSettings(Kind.ENGINE, Duration.ofMillis(100), Duration.ZERO, Duration.ZERO));
  }

  private static void isParked(TestServer server, int times) {
    Patience.until("it is parked", () -> server.metric("roost_connections_parks_total") == times);
  }
}
