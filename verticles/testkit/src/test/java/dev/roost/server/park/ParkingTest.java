package dev.roost.server.park;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.ConnectionFacts;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.RawConnection.Ending;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Idle connections are parked, and nobody notices.
class ParkingTest {

  private static final String NOW = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";
  private static final String FACTS = "GET /facts HTTP/1.1\r\nHost: roost\r\n\r\n";
  private static final String LATER = "GET /later HTTP/1.1\r\nHost: roost\r\n\r\n";

  private final LinkedBlockingQueue<Deferred> deferred = new LinkedBlockingQueue<>();

  final RouteSet routes =
      mounted ->
          mounted
              .get("/now", request -> request.end("now"))
              .get("/later", request -> deferred.add(Deferred.of(request)))
              .get("/facts", request -> request.end(ConnectionFacts.of(request).toString()))
              .get("/big", request -> request.end("x".repeat(3_000_000)))
              .post("/echo", request -> request.end(request.body().buffer()))
              .sse("/stream", stream -> stream.send("first"))
              .wsAsync("/echo", socket -> socket.text(socket::send));

  /// How they are parked.
  Kind kind() {
    return Kind.ENGINE;
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "TLSv1.3, TLS_AES_128_GCM_SHA256",
    "TLSv1.3, TLS_AES_256_GCM_SHA384",
    "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
  })
  void a_woken_connection_goes_on_with_every_suite(String version, String suite) {
    try (var server = parking();
        var client = RawConnection.to(server, socket -> speak(socket, version, suite))) {
      for (var parks = 1; parks <= 3; parks++) {
        client.send(NOW);
        assertThat(client.answer().body()).isEqualTo("now");
        isParked(server, parks);
      }
      client.send("GET /big HTTP/1.1\r\nHost: roost\r\n\r\n");
      assertThat(client.answer().body()).hasSize(3_000_000);
    }
  }

  @Test
  void what_is_known_of_a_connection_is_still_known_when_it_wakes() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      client.send(FACTS);
      var before = client.answer().body();
      isParked(server, 1);
      client.send(FACTS);
      assertThat(client.answer().body()).isEqualTo(before).contains("https", "TLSv1.3");
    }
  }

  @Test
  void a_parked_connection_is_open_and_admitted() {
    try (var server = parking(2);
        var first = RawConnection.to(server);
        var second = RawConnection.to(server)) {
      Patience.until("both are parked", () -> parked(server) == 2);
      assertThat(server.metric("roost_connections_open{protocol=\"http1\"}")).isEqualTo(2);
      assertThat(refused(server)).isTrue();
      first.reset();
      Patience.until("one has ended", () -> open(server) == 1);
      assertThat(refused(server)).isFalse();
      second.send(NOW);
      assertThat(second.answer().body()).isEqualTo("now");
    }
  }

  @Test
  void a_request_in_part_or_in_flight_and_a_stream_keep_a_connection_awake() {
    try (var server = parking();
        var part = RawConnection.to(server);
        var late = RawConnection.to(server);
        var stream = RawConnection.to(server);
        var idle = RawConnection.to(server)) {
      part.send("GET /now HTTP/1.1\r\nHo");
      late.send(LATER);
      stream.send("GET /stream HTTP/1.1\r\nHost: roost\r\n\r\n");
      Patience.until("the idle one is parked, thrice", () -> timesParked(server, idle) >= 3);
      assertThat(parked(server)).isLessThanOrEqualTo(1);
      part.send("st: roost\r\n\r\n");
      assertThat(part.answer().body()).isEqualTo("now");
      Patience.poll(deferred).respond("late");
      assertThat(late.answer().body()).isEqualTo("late");
    }
  }

  @Test
  void a_body_that_comes_slowly_comes_whole() {
    try (var server = parking();
        var client = RawConnection.to(server);
        var idle = RawConnection.to(server)) {
      client.send("POST /echo HTTP/1.1\r\nHost: roost\r\nContent-Length: 6\r\n\r\nabc");
      Patience.until("another is parked, thrice", () -> timesParked(server, idle) >= 3);
      client.send("def");
      assertThat(client.answer().body()).isEqualTo("abcdef");
    }
  }

  @Test
  void new_keys_while_parked_are_the_keys_afterwards() {
    try (var server = parking();
        var client = RawConnection.to(server, socket -> speak(socket, "TLSv1.3"))) {
      for (var parks = 1; parks <= 3; parks++) {
        isParked(server, parks);
        client.updateKeys();
        client.send(NOW);
        assertThat(client.answer().body()).isEqualTo("now");
      }
    }
  }

  @Test
  void a_peer_that_leaves_while_parked_wakes_nobody() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.end(Ending.FIN);
      Patience.until("it has ended", () -> ended(server, "peer") == 1);
      hasNothing(server);
      assertThat(server.metric("roost_connections_wakes_total")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothing_is_left_of_a_peer_that_said_goodbye_while_parked(Ending ending) {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.end(ending);
      assertThat(client.rest()).isEmpty();
      hasNothing(server);
    }
  }

  @Test
  void a_peer_that_resets_while_parked_is_forgotten() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.reset();
      Patience.until("it has ended", () -> ended(server, "peer") == 1);
      hasNothing(server);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 20})
  void a_peer_that_leaves_amid_its_first_record_is_forgotten(int bytes) {
    try (var server = parking(1);
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.garble(Arrays.copyOf(new byte[] {23, 3, 3, 0, 50}, bytes));
      Patience.until("it is awake", () -> parked(server) == 0);
      client.reset();
      hasNothing(server);
      Patience.until("there is room for another", () -> !refused(server));
    }
  }

  @Test
  void a_peer_that_sends_what_is_no_record_is_forgotten() {
    try (var server = parking(1);
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.garble("GET / HTTP/1.1\r\nHost: roost\r\n\r\n".getBytes(ISO_8859_1));
      hasNothing(server);
      Patience.until("there is room for another", () -> !refused(server));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_last_request_of_a_parked_connection_is_answered(Ending ending) {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.send(NOW);
      client.end(ending);
      assertThat(client.answer().body()).isEqualTo("now");
      assertThat(client.rest()).isEmpty();
      hasNothing(server);
    }
  }

  @Test
  void a_parked_connection_is_closed_when_it_was_idle_for_too_long() {
    try (var server = TestServer.serving(routes, this::soonClosed);
        var client = RawConnection.to(server)) {
      client.send(NOW);
      assertThat(client.answer().body()).isEqualTo("now");
      assertThat(client.rest()).isEmpty();
      assertThat(ended(server, "idle")).isEqualTo(1);
      hasNothing(server);
    }
  }

  @Test
  void parked_connections_end_with_the_server() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      TestServer.await(server.roost().close());
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void three_hundred_wake_at_once() {
    try (var server = parking()) {
      var clients = IntStream.range(0, 300).mapToObj(_ -> RawConnection.to(server)).toList();
      Patience.until("all are parked", () -> parked(server) == 300);
      clients.forEach(client -> client.send(NOW));
      clients.forEach(client -> assertThat(client.answer().body()).isEqualTo("now"));
      Patience.until("all are parked again", () -> parked(server) == 300);
      clients.forEach(RawConnection::close);
      hasNothing(server);
    }
  }

  @Test
  void nothing_is_parked_where_it_is_off() {
    try (var server = TestServer.serving(routes, settings -> settings.with(ParkSettings.off()));
        var client = RawConnection.to(server)) {
      client.send(NOW);
      assertThat(client.answer().body()).isEqualTo("now");
      assertThat(server.metric("roost_connections_parks_total")).isZero();
    }
  }

  TestServer parking() {
    return TestServer.serving(routes, this::parking);
  }

  private TestServer parking(int connectionsMax) {
    return TestServer.serving(routes, settings -> bounded(parking(settings), connectionsMax));
  }

  private ServerSettings parking(ServerSettings settings) {
    return settings.with(
        new ParkSettings(kind(), Duration.ofMillis(100), Duration.ZERO, Duration.ZERO));
  }

  /// Connections are closed after a second of silence.
  private ServerSettings soonClosed(ServerSettings settings) {
    var http = settings.http();
    return parking(settings)
        .with(
            new HttpSettings(
                http.headerBytesMax(),
                http.bodyBytesMax(),
                Duration.ofSeconds(1),
                http.sendTimeout()));
  }

  private static ServerSettings bounded(ServerSettings settings, int connectionsMax) {
    var blockedAfter = settings.reactor().blockedAfter();
    return settings.with(new ReactorSettings(1, 8_192, connectionsMax, blockedAfter));
  }

  static void speak(SSLSocket socket, String version, String... suites) {
    socket.setEnabledProtocols(new String[] {version});
    if (suites.length > 0) {
      socket.setEnabledCipherSuites(suites);
    }
  }

  static double parked(TestServer server) {
    return server.metric("roost_connections_parked");
  }

  private static double open(TestServer server) {
    return server.metric("roost_connections_open{protocol=\"http1\"}");
  }

  private static double ended(TestServer server, String reason) {
    return server.metric("roost_connections_parked_ended_total{reason=\"" + reason + "\"}");
  }

  /// The one connection of the server has been parked so many times.
  final void isParked(TestServer server, int times) {
    Patience.until("it is parked", () -> server.metric("roost_connections_parks_total") == times);
    Patience.until("it is parked for good", () -> isSettled(server));
  }

  /// Whether what is parked stays as it is until it wakes.
  boolean isSettled(TestServer server) {
    return true;
  }

  /// Wakes `client` whenever it is parked.
  private static double timesParked(TestServer server, RawConnection client) {
    if (parked(server) == 1) {
      client.send(NOW);
      assertThat(client.answer().body()).isEqualTo("now");
    }
    return server.metric("roost_connections_parks_total");
  }

  private static boolean refused(TestServer server) {
    try (var client = RawConnection.to(server)) {
      client.send(NOW);
      return client.answer().status() == 503;
    }
  }

  static void hasNothing(TestServer server) {
    Patience.until("no connection is open", () -> open(server) == 0 && parked(server) == 0);
  }
}
