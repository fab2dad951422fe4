package dev.roost.server.park;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.park.lean.LeanTls;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The same where BoringSSL's state is let go, and what is our record layer's own.
class LeanParkingTest extends ParkingTest {

  private static final String NOW = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";

  private static final String UPGRADE =
      String.join(
          "\r\n",
          "GET /echo HTTP/1.1",
          "Host: roost",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==",
          "",
          "");

  @Override
  Kind kind() {
    return Kind.LEAN;
  }

  @Override
  boolean isSettled(TestServer server) {
    return parked(server) == lean(server) || notLean(server, "version") > 0;
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.3, 1, 0", "TLSv1.2, 0, 1"})
  void tls_1_2_keeps_the_state_of_boringssl(String version, int lean, int notLean) {
    try (var server = parking();
        var _ = RawConnection.to(server, socket -> speak(socket, version))) {
      isParked(server, 1);
      assertThat(lean(server)).isEqualTo(lean);
      assertThat(notLean(server, "version")).isEqualTo(notLean);
    }
  }

  @Test
  void a_large_body_is_taken_after_a_wake() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      var body = "0123456789".repeat(300_000);
      client.send("POST /echo HTTP/1.1\r\nHost: roost\r\nContent-Length: 3000000\r\n\r\n" + body);
      assertThat(client.answer().body()).isEqualTo(body);
    }
  }

  @Test
  void pipelined_requests_are_answered_after_a_wake() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.send(NOW.repeat(100));
      for (var each = 0; each < 100; each++) {
        assertThat(client.answer().body()).isEqualTo("now");
      }
    }
  }

  @Test
  void a_stream_of_events_begins_after_a_wake() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.send("GET /stream HTTP/1.1\r\nHost: roost\r\n\r\n");
      assertThat(client.statusLine()).contains("200");
      while (!client.statusLine().equals("data: first")) {
        // headers, the length of a chunk, other fields
      }
    }
  }

  @Test
  void a_connection_becomes_a_websocket_after_a_wake() {
    try (var server = parking();
        var client = RawConnection.to(server)) {
      isParked(server, 1);
      client.send(UPGRADE);
      assertThat(client.answer().status()).isEqualTo(101);
      client.send("\u0081\u0082\0\0\0\0ok\u0088\u0080\0\0\0\0");
      assertThat(client.rest()).startsWith("\u0081\u0002ok\u0088");
    }
  }

  @Test
  void both_ask_for_new_keys_while_they_talk() {
    try (var server = parking();
        var client = RawConnection.to(server, socket -> speak(socket, "TLSv1.3"))) {
      isParked(server, 1);
      for (var each = 0; each < 100; each++) {
        client.updateKeys();
        client.send(NOW);
        assertThat(client.answer().body()).isEqualTo("now");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "170303001400112233445566778899aabbccddeeff00112233, bad_record_mac",
    "140303000101, unexpected_message",
    "15030300020100, unexpected_message",
    "1603030004000000ff, unexpected_message",
    "1703034101, record_overflow",
    "17030300050102030405, bad_record_mac"
  })
  void a_wrong_record_is_answered_by_an_alert_and_one_line_in_the_log(String hex, String alert) {
    var logged = new Logged();
    try (var server = parking();
        var client = RawConnection.to(server);
        logged) {
      isParked(server, 1);
      client.garble(java.util.HexFormat.of().parseHex(hex));
      assertThatThrownBy(client::rest)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(alert);
      hasNothing(server);
      assertThat(logged.records).singleElement().extracting(LogRecord::getThrown).isNull();
    }
  }

  private static double lean(TestServer server) {
    return server.metric("roost_connections_parked_lean");
  }

  private static double notLean(TestServer server, String reason) {
    return server.metric("roost_connections_not_lean_total{reason=\"" + reason + "\"}");
  }

  /// What the TLS handler logs.
  private static final class Logged extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger(LeanTls.class.getName());
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    Logged() {
      logger.setLevel(Level.FINE);
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord logged) {
      records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setLevel(null);
    }
  }
}
