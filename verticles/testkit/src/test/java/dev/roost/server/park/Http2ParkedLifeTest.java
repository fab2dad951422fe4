package dev.roost.server.park;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.flow.Deferred;
import dev.roost.server.guard.Http2Peer;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/// When an HTTP/2 connection is parked, and how it ends while it is.
class Http2ParkedLifeTest {

  private static final int WINDOW = 65_535;

  private final LinkedBlockingQueue<Deferred> deferred = new LinkedBlockingQueue<>();

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/now", request -> request.end("now"))
              .get("/later", request -> deferred.add(Deferred.of(request)))
              .sse("/stream", stream -> stream.send("first"));

  @Test
  void a_request_in_flight_and_a_stream_keep_a_connection_awake() throws IOException {
    try (var server = parking();
        var late = Http2Peer.of(server, WINDOW);
        var stream = Http2Peer.of(server, WINDOW);
        var idle = Http2Peer.of(server, WINDOW)) {
      var asked = late.get("/later");
      stream.until(stream.get("/stream"), 1);
      untilParkedThrice(server, idle);
      assertThat(parked(server)).isLessThanOrEqualTo(1);
      Patience.poll(deferred).respond("late");
      assertThat(body(late, asked)).isEqualTo("late");
    }
  }

  @Test
  void a_field_block_in_part_keeps_a_connection_awake() throws IOException {
    try (var server = parking();
        var part = Http2Peer.of(server, WINDOW);
        var idle = Http2Peer.of(server, WINDOW)) {
      var stream = part.begin();
      part.head(stream, new byte[] {(byte) 0x82, (byte) 0x87}, 1);
      untilParkedThrice(server, idle);
      assertThat(parked(server)).isLessThanOrEqualTo(1);
      part.go(stream, block(":authority", "localhost", ":path", "/now"));
      assertThat(body(part, stream)).isEqualTo("now");
    }
  }

  @Test
  void a_frame_in_part_keeps_a_connection_awake() throws IOException {
    try (var server = parking();
        var part = Http2Peer.of(server, WINDOW);
        var idle = Http2Peer.of(server, WINDOW)) {
      part.raw(new byte[] {0, 0, 8, 6, 0, 0, 0, 0, 0}); // PING, but for its number
      untilParkedThrice(server, idle);
      assertThat(parked(server)).isLessThanOrEqualTo(1);
      part.raw(new byte[8]);
      assertThat(body(part, part.get("/now"))).isEqualTo("now");
    }
  }

  /// A park would have Netty count them anew.
  @Test
  void a_client_that_gives_streams_up_is_not_parked_for_a_while() throws IOException {
    try (var server = parking();
        var rude = Http2Peer.of(server, WINDOW);
        var idle = Http2Peer.of(server, WINDOW)) {
      rude.cancel(rude.get("/later"));
      untilParkedThrice(server, idle);
      assertThat(parked(server)).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void a_parked_connection_is_told_goodbye_when_it_was_idle_for_too_long() throws IOException {
    try (var server = TestServer.serving(routes, Http2ParkedLifeTest::soonClosed);
        var client = Http2Peer.of(server, WINDOW)) {
      assertThat(body(client, client.get("/now"))).isEqualTo("now");
      var last = client.get("/now");
      assertThat(body(client, last)).isEqualTo("now");
      client.untilClosed();
      assertThat(client.lastTaken()).isEqualTo(last);
      assertThat(ended(server, "idle")).isEqualTo(1);
      hasNothing(server);
    }
  }

  @Test
  void parked_connections_are_told_goodbye_when_the_server_stops() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      var last = client.get("/now");
      assertThat(body(client, last)).isEqualTo("now");
      isParked(server, 1);
      TestServer.await(server.roost().close());
      client.untilClosed();
      assertThat(client.lastTaken()).isEqualTo(last);
    }
  }

  @Test
  void a_peer_that_leaves_while_parked_wakes_nobody() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      body(client, client.get("/now"));
      isParked(server, 1);
      client.endWire();
      Patience.until("it has ended", () -> ended(server, "peer") == 1);
      hasNothing(server);
      assertThat(server.metric("roost_connections_wakes_total")).isZero();
    }
  }

  @Test
  void a_peer_that_resets_while_parked_is_forgotten() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      body(client, client.get("/now"));
      isParked(server, 1);
      client.abandon();
      Patience.until("it has ended", () -> ended(server, "peer") == 1);
      hasNothing(server);
    }
  }

  @Test
  void a_woken_connection_that_says_nothing_more_is_counted_out() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      body(client, client.get("/now"));
      isParked(server, 1);
      client.wire(new byte[] {23, 3});
      Patience.until("it wakes", () -> server.metric("roost_connections_wakes_total") == 1);
      client.abandon();
      hasNothing(server);
    }
  }

  @Test
  void a_record_that_is_none_ends_a_woken_connection() throws IOException {
    try (var server = parking();
        var client = Http2Peer.of(server, WINDOW)) {
      body(client, client.get("/now"));
      isParked(server, 1);
      client.wire(
          new byte[] {
            23, 3, 3, 0, 24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
            21, 22, 23, 24
          });
      hasNothing(server);
    }
  }

  @Test
  void three_hundred_wake_at_once() throws IOException {
    try (var server = parking()) {
      var clients = new ArrayList<Http2Peer>();
      for (var each = 0; each < 300; each++) {
        clients.add(Http2Peer.of(server, WINDOW));
        body(clients.getLast(), clients.getLast().get("/now"));
      }
      Patience.until("all are parked", () -> parked(server) == 300);
      for (var client : clients) {
        client.get("/now");
      }
      for (var client : clients) {
        assertThat(body(client, 3)).isEqualTo("now");
      }
      Patience.until("all are parked again", () -> parked(server) == 300);
    }
  }

  private static String body(Http2Peer client, int stream) throws IOException {
    client.take(Set.of(stream));
    return client.answer(stream).body.toString(UTF_8);
  }

  private static byte[] block(String... fields) {
    var block = new ByteArrayOutputStream();
    for (var at = 0; at < fields.length; at += 2) {
      block.write(0);
      for (var text : new String[] {fields[at], fields[at + 1]}) {
        block.write(text.length());
        block.writeBytes(text.getBytes(US_ASCII));
      }
    }
    return block.toByteArray();
  }

  private TestServer parking() {
    return TestServer.serving(routes, Http2ParkedLifeTest::parking);
  }

  private static ServerSettings parking(ServerSettings settings) {
    return settings.with(
        new ParkSettings(Kind.ENGINE, Duration.ofMillis(100), Duration.ZERO, Duration.ZERO));
  }

  /// Connections are closed after a second of silence.
  private static ServerSettings soonClosed(ServerSettings settings) {
    var http = settings.http();
    return parking(settings)
        .with(
            new HttpSettings(
                http.headerBytesMax(),
                http.bodyBytesMax(),
                Duration.ofSeconds(1),
                http.sendTimeout()));
  }

  private static double parked(TestServer server) {
    return server.metric("roost_connections_parked");
  }

  private static double ended(TestServer server, String reason) {
    return server.metric("roost_connections_parked_ended_total{reason=\"" + reason + "\"}");
  }

  private static void isParked(TestServer server, int times) {
    Patience.until("it is parked", () -> server.metric("roost_connections_parks_total") >= times);
  }

  /// Wakes `idle`, and it alone, whenever it is parked.
  private static void untilParkedThrice(TestServer server, Http2Peer idle) throws IOException {
    for (var parks = 1; parks <= 3; parks++) {
      body(idle, idle.get("/now"));
      isParked(server, parks);
    }
  }

  private static void hasNothing(TestServer server) {
    Patience.until(
        "no connection is open",
        () ->
            server.metric("roost_connections_open{protocol=\"http2\"}") == 0
                && parked(server) == 0);
  }
}
