package dev.roost.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WebSockets on the event loop, over TLS (RFC 6455), and what every kind of socket promises.
public abstract class SocketContract extends Contract {

  /// Where the socket under test echoes.
  protected String echoPath() {
    return "/echo/async";
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello", "한국어 🐦"})
  void a_text_message_comes_back(String text) {
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.send(text).receive()).isEqualTo(text);
    }
  }

  @Test
  void a_binary_message_comes_back() {
    var bytes = new byte[] {0, 1, (byte) 0xff};
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.send(bytes).receive())
          .isEqualTo("bytes:" + HexFormat.of().formatHex(bytes));
    }
  }

  @Test
  void fragments_arrive_as_one_message() {
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.sendFragments("", "one ", "message").receive()).isEqualTo("one message");
    }
  }

  @Test
  void messages_keep_their_order() {
    try (var socket = TestSocket.open(server(), echoPath())) {
      for (var i = 0; i < 500; i++) {
        socket.send("message " + i);
      }
      for (var i = 0; i < 500; i++) {
        assertThat(socket.receive()).isEqualTo("message " + i);
      }
    }
  }

  @Test
  void a_ping_is_answered_with_its_payload() {
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.ping("are you there").receive()).isEqualTo("pong:are you there");
    }
  }

  @Test
  void a_close_is_answered_with_its_code() {
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.close(1000, "bye").closeCode()).isEqualTo(1000);
    }
  }

  @Test
  void a_message_above_the_bound_closes_with_1009() {
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.send("x".repeat(5 << 20)).closeCode()).isEqualTo(1009);
    }
  }

  @Test
  void a_request_without_an_upgrade_answers_426() {
    var answer = server().send(HttpRequest.newBuilder(server().uri(echoPath())));
    assertThat(answer.statusCode()).isEqualTo(426);
    assertThat(answer.headers().firstValue("upgrade")).hasValue("websocket");
  }

  @Test
  void a_socket_that_is_gone_is_counted_out() {
    var series = "roost_websockets_open{kind=\"%s\"}".formatted(kind());
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.send("x").receive()).isEqualTo("x");
      assertThat(server().metric(series)).isPositive();
    }
    Patience.until("the gauge is back at 0", () -> server().metric(series) == 0);
    var connections = "roost_connections_open{protocol=\"websocket\"}";
    Patience.until("its connection too", () -> server().metric(connections) == 0);
    var requests = "roost_http_requests_in_flight";
    Patience.until("its request too", () -> server().metric(requests) == 0);
  }

  /// The metric's label of this kind of socket.
  protected String kind() {
    return "async";
  }
}
