package dev.roost.server.websocket;

import static dev.roost.server.websocket.Case.FINAL;
import static dev.roost.server.websocket.Case.MORE;
import static dev.roost.server.websocket.Case.PING;
import static dev.roost.server.websocket.Case.TEXT;
import static dev.roost.server.websocket.Case.frame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.WebSocketSettings;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// permessage-deflate where it is switched on (RFC 7692): agreed on, and never beyond the bounds.
class CompressionTest {

  private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate";
  private static final int RSV1 = 0x40;
  private static final int MESSAGE_BYTES_MAX = 1 << 20;

  private static TestServer server;
  private final Deflated deflated = new Deflated();

  @BeforeAll
  static void serve() {
    var on =
        new WebSocketSettings(
            1 << 20,
            MESSAGE_BYTES_MAX,
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            256,
            List.of(),
            true);
    server = TestServer.serving(Echo.ROUTES, settings -> settings.with(on));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "permessage-deflate, permessage-deflate",
    "permessage-deflate; client_max_window_bits, permessage-deflate",
    "permessage-deflate; client_max_window_bits=10, same",
    "permessage-deflate; server_no_context_takeover, same",
    "'permessage-deflate; server_max_window_bits=9, permessage-deflate', permessage-deflate",
    "'x-unknown, permessage-deflate', permessage-deflate",
    "'x-unknown; a=\"b, permessage-deflate; x\", permessage-deflate', permessage-deflate",
    "permessage-deflate; client_max_window_bits=\"15\", permessage-deflate",
    "permessage-deflate; client_max_window_bits=\"\\1\\5\", permessage-deflate",
    "permessage-deflate ; client_no_context_takeover;client_max_window_bits, permessage-deflate",
    "'permessage-deflate; unknown, permessage-deflate', permessage-deflate",
    "'permessage-deflate; client_max_window_bits=16, permessage-deflate', permessage-deflate",
    "'permessage-deflate; server_max_window_bits, permessage-deflate', permessage-deflate",
    "'permessage-deflate; server_no_context_takeover=1, permessage-deflate', permessage-deflate"
  })
  void an_offer_that_can_be_met_is_agreed_on(String offer, String answer) {
    try (var socket = RawSocket.open(server, "/async", "Sec-WebSocket-Extensions: " + offer)) {
      var agreed = answer.equals("same") ? offer : answer;
      assertThat(socket.head()).contains("\r\nsec-websocket-extensions: " + agreed + "\r\n");
      assertEchoes(socket, "agreed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x-unknown",
        "permessage-deflate; client_max_window_bits=99",
        "permessage-deflate; client_max_window_bits=x",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; unknown",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; server_no_context_takeover=",
        "permessage-deflate; client_no_context_takeover=\"true\"",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; client_max_window_bits; Client_max_window_bits=10",
        "permessage-deflate; client_max_window_bits=08",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; client_max_window_bits=\"15",
        "permessage-deflate; client_max_window_bits=15\"",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate;",
        "permessage-deflate=1",
        ";;=,="
      })
  void any_other_is_no_offer(String offer) {
    try (var socket = RawSocket.open(server, "/async", "Sec-WebSocket-Extensions: " + offer)) {
      assertThat(socket.head()).doesNotContain("sec-websocket-extensions");
      assertThat(socket.text("plain").next()).isEqualTo("text:plain");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void messages_are_deflated_both_ways_each_with_the_window_of_those_before(String path) {
    try (var socket = RawSocket.open(server, path, OFFER)) {
      assertEchoes(socket, "one and the same message");
      var again = deflated.of("one and the same message");
      assertThat(again).hasSizeLessThan(12);
      assertThat(deflated.inflate(socket.send(frame(FINAL | RSV1 | TEXT, again)).next()))
          .isEqualTo("one and the same message");
      assertEchoes(socket, "");
      assertEchoes(socket, "한국어 ".repeat(10_000));
    }
  }

  @Test
  void a_message_that_is_not_compressed_is_welcome_all_the_same() {
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      assertThat(deflated.inflate(socket.text("plain").next())).isEqualTo("plain");
      assertEchoes(socket, "again compressed");
    }
  }

  @Test
  void a_compressed_message_may_come_in_parts() {
    var whole = deflated.of("in parts");
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      socket.send(frame(RSV1 | TEXT, Deflated.part(whole, 0, 3)));
      socket.send(frame(FINAL | PING, "p")).send(frame(MORE, ""));
      socket.send(frame(FINAL | MORE, Deflated.part(whole, 3, whole.length)));
      assertThat(socket.next()).isEqualTo("pong:70");
      assertThat(deflated.inflate(socket.next())).isEqualTo("in parts");
    }
  }

  @Test
  void a_final_block_may_end_a_message() {
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      socket.send(frame(FINAL | RSV1 | TEXT, Deflated.finished("the end")));
      assertThat(deflated.inflate(socket.next())).isEqualTo("the end");
      socket.send(frame(FINAL | RSV1 | TEXT, Deflated.finished("and another")));
      assertThat(deflated.inflate(socket.next())).isEqualTo("and another");
    }
  }

  @ParameterizedTest
  @CsvSource({"a1, 1002", "91, 1002", "c9, 1002", "c8, 1002", "c0, 1002", "e1, 1002"})
  void reserved_bits_other_than_that_of_a_first_frame_are_refused(String first, int code) {
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      socket.send(frame(Integer.parseInt(first, 16), ""));
      assertThat(socket.next()).startsWith("close:" + code);
    }
  }

  @Test
  void the_reserved_bit_may_not_be_set_on_a_later_part() {
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      socket.send(frame(TEXT, "a")).send(frame(FINAL | RSV1 | MORE, "b"));
      assertThat(socket.next()).startsWith("close:1002");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void what_cannot_be_inflated_closes_with_1007(String path) {
    try (var socket = RawSocket.open(server, path, OFFER)) {
      socket.send(frame(FINAL | RSV1 | TEXT, Case.bytes("ffffffffff")));
      assertThat(socket.next()).isEqualTo("close:1007 the message cannot be inflated");
    }
  }

  @Test
  void text_that_is_not_utf8_once_inflated_closes_with_1007() {
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      socket.send(frame(FINAL | RSV1 | TEXT, deflated.of(Case.bytes("eda080"))));
      assertThat(socket.next()).isEqualTo("close:1007 text must be UTF-8");
    }
  }

  @Test
  void a_message_of_the_largest_size_passes() {
    try (var socket = RawSocket.open(server, "/async", OFFER)) {
      assertEchoes(socket, "z".repeat(MESSAGE_BYTES_MAX));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {MESSAGE_BYTES_MAX + 1, 200 << 20})
  void a_message_that_inflates_beyond_the_bound_closes_with_1009(int bytes) {
    try (var socket = RawSocket.open(server, "/blocking", OFFER)) {
      socket.send(frame(FINAL | RSV1 | Case.BINARY, Deflated.zeros(bytes)));
      assertThat(socket.next()).isEqualTo("close:1009 a message may have 1048576 bytes");
    }
  }

  private void assertEchoes(RawSocket socket, String text) {
    socket.send(frame(FINAL | RSV1 | TEXT, deflated.of(text)));
    assertThat(deflated.inflate(socket.next())).isEqualTo(text);
  }
}
