package dev.roost.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.WebSocketSettings;
import dev.roost.testkit.Logged;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The cases of RFC 6455 as a table, for both kinds of socket, over TLS.
class Rfc6455Test {

  private static TestServer server;
  private static Logged log;

  @BeforeAll
  static void serve() {
    log = Logged.everything();
    server = TestServer.serving(Echo.ROUTES, settings -> settings.with(bounds()));
  }

  @AfterAll
  static void stop() {
    server.close();
    log.close();
  }

  static Stream<Case> cases() {
    return Stream.of(FramingCases.all(), FragmentCases.all(), TextCases.all(), CloseCases.all())
        .flatMap(cases -> cases);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void an_async_socket_answers_as_the_rfc_says(Case row) {
    expect("/async", row);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_blocking_socket_answers_as_the_rfc_says(Case row) {
    expect("/blocking", row);
  }

  @Test
  void a_peer_that_breaks_the_protocol_leaves_nothing_in_the_log() {
    expect("/async", Case.sending("no mask", Case.bytes("81 01 61")).gives("close:1002", "end"));
    assertThat(log.blamedOnPeers()).isEmpty();
  }

  private static void expect(String path, Case row) {
    try (var socket = RawSocket.open(server, path)) {
      socket.send(Case.frame(Case.TEXT, "hel")).send(Case.frame(Case.FINAL | Case.MORE, "lo"));
      assertThat(socket.next()).isEqualTo("text:hello"); // each row begins after a whole message
      row.sent().forEach(socket::send);
      for (var frame : row.frames()) {
        var came = socket.next();
        if (frame.startsWith("close:")) {
          assertThat(came).startsWith(frame);
        } else {
          assertThat(came).isEqualTo(frame);
        }
      }
    }
  }

  private static WebSocketSettings bounds() {
    return new WebSocketSettings(
        FramingCases.FRAME_BYTES_MAX,
        FramingCases.MESSAGE_BYTES_MAX,
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        256,
        List.of(),
        false);
  }
}
