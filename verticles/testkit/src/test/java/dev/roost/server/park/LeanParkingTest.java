package dev.roost.server.park;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeanParkingTest {
  private static final String NOW = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";
  private final RouteSet routes =
      mounted ->
          mounted
              .get("/now", request -> request.end("now"))
              .get("/big", request -> request.end("x".repeat(3_000_000)));

  @ParameterizedTest(name = "{0}")
  @CsvSource({"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
  void a_lean_connection_goes_on_with_every_suite(String suite) {
    try (var server = TestServer.serving(routes, LeanParkingTest::lean);
        var client =
            RawConnection.to(
                server, socket -> socket.setEnabledCipherSuites(new String[] {suite}))) {
      for (var parks = 1; parks <= 3; parks++) {
        Patience.until("it is lean", () -> server.metric("roost_connections_parked_lean") == 1);
        client.send(NOW);
        assertThat(client.answer().body()).isEqualTo("now");
      }
      client.send("GET /big HTTP/1.1\r\nHost: roost\r\n\r\n");
      assertThat(client.answer().body()).hasSize(3_000_000);
    }
  }

  static ServerSettings lean(ServerSettings settings) {
    return settings.with(
        new ParkSettings(Kind.LEAN, Duration.ofMillis(100), Duration.ZERO, Duration.ZERO));
  }
}
