package dev.roost.server.park;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A TLS record may come in any number of pieces, before a park and after it.
class PartialRecordsTest {

  private static final String NOW = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";
  private static final String PARKS = "roost_connections_parks_total";

  /// Of the longest record of TLS 1.3.
  private static final int[] LONG_HEADER = {23, 3, 3, 0x41, 0};

  private final RouteSet routes = r -> r.get("/now", request -> request.end("now"));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 40})
  void a_connection_with_part_of_a_record_is_not_parked(int bytes) {
    try (var server = parking();
        var client = RawConnection.to(server);
        var clock = RawConnection.to(server)) {
      answered(client);
      client.hold();
      client.send(NOW);
      client.letGo(bytes);
      answered(clock);
      Patience.until("the clock is parked", () -> server.metric(PARKS) == 1);
      client.letGo();
      assertThat(client.answer().body()).isEqualTo("now");
      Patience.until("both are parked", () -> parked(server) == 2);
    }
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void who_leaves_amid_the_first_record_after_a_park_is_not_counted_as_open(Part part) {
    try (var server = parking()) {
      var client = RawConnection.to(server);
      answered(client);
      Patience.until("it is parked", () -> parked(server) == 1);
      client.wire(part.bytes());
      Patience.until("it is woken", () -> parked(server) == 0);
      client.close();
      Patience.until("it is gone", () -> open(server) == 0);
    }
  }

  @Test
  void it_may_come_byte_by_byte() {
    try (var server = parking();
        var logged = Logged.everything();
        var client = RawConnection.to(server)) {
      answered(client);
      Patience.until("it is parked", () -> parked(server) == 1);
      client.wire(LONG_HEADER);
      client.wire(IntStream.range(0, 12_000).map(_ -> 1).toArray());
      client.reset();
      Patience.until("it is gone", () -> open(server) == 0);
      assertThat(logged.linesFrom("io.netty")).isEmpty();
    }
  }

  @Test
  void what_is_no_record_is_refused_at_once() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      answered(client);
      Patience.until("it is parked", () -> parked(server) == 1);
      client.wire(NOW.chars().toArray());
      Patience.until("it is closed", () -> open(server) == 0);
    }
  }

  /// What a client says of a record before it leaves.
  enum Part {
    A_BYTE,
    HALF_A_HEADER,
    A_HEADER,
    NONSENSE;

    private int[] bytes() {
      return switch (this) {
        case A_BYTE -> new int[] {23};
        case HALF_A_HEADER -> new int[] {23, 3, 3};
        case A_HEADER -> new int[] {23, 3, 3, 0, 50};
        case NONSENSE -> new int[] {71, 69, 84, 32, 47};
      };
    }
  }

  private static void answered(RawConnection client) {
    client.send(NOW);
    assertThat(client.answer().body()).isEqualTo("now");
  }

  private TestServer parking() {
    return TestServer.serving(routes, PartialRecordsTest::parking);
  }

  /// One loop, so that of two connections the one that was silent for longer is looked at first.
  private static ServerSettings parking(ServerSettings settings) {
    return settings
        .with(ReactorSettings.of(1))
        .with(new ParkSettings(Kind.ENGINE, Duration.ofMillis(100), Duration.ZERO, Duration.ZERO));
  }

  private static double parked(TestServer server) {
    return server.metric("roost_connections_parked");
  }

  private static double open(TestServer server) {
    return server.metric("roost_connections_open{protocol=\"http1\"}");
  }
}
