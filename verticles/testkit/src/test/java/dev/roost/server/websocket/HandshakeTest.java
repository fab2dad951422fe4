package dev.roost.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.BlockingSettings;
import dev.roost.server.settings.WebSocketSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes a WebSocket, and what a request is answered that does not (RFC 6455, 4.2).
class HandshakeTest {

  private static final RouteSet ROUTES =
      routes ->
          routes
              .get("/", request -> request.end("hello\n"))
              .any("/any", request -> request.end("hello\n"))
              .wsAsync("/async", socket -> socket.text(socket::send))
              .ws("/blocking", Echo::serve)
              .wsAsync("/room/:name", s -> s.send("in " + s.request().pathParam("name")))
              .wsAsync("/spoken", List.of("v2", "v1"), s -> s.send(s.subprotocol().orElse("none")))
              .ws("/said", List.of("v1"), s -> s.send(s.subprotocol().orElse("none")));

  private static TestServer server;

  @BeforeAll
  static void serve() {
    server = TestServer.serving(ROUTES);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: keep-alive, Upgrade",
        "Upgrade: WebSocket",
        "Upgrade: foo/2, websocket",
        "Origin:",
        "Origin: https://localhost",
        "Origin: https://LOCALHOST:443",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        "Sec-WebSocket-Protocol: unknown"
      })
  void a_good_handshake_is_answered_101(String header) {
    try (var socket = RawSocket.open(server, "/async", header)) {
      assertThat(socket.head()).contains("\r\nsec-websocket-accept: icx+yqv66kxgm0fcwalwlflwtai=");
      assertThat(socket.head()).doesNotContain("extensions", "protocol:");
      assertThat(socket.text("a").next()).isEqualTo("text:a");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Upgrade: , 426",
    "Upgrade: h2c, 426",
    "Connection: close, 426",
    "Sec-WebSocket-Version: 8, 426",
    "Sec-WebSocket-Version: 7, 426",
    "Sec-WebSocket-Version: 14, 426",
    "Sec-WebSocket-Version: , 426",
    "Sec-WebSocket-Key: , 400",
    "Sec-WebSocket-Key: short, 400",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAA=, 400",
    "Sec-WebSocket-Key: ?AAAAAAAAAAAAAAAAAAAAA==, 400",
    "Content-Length: 5, 400",
    "Transfer-Encoding: chunked, 400",
    "Origin: https://evil.example, 403",
    "Origin: http://localhost, 403",
    "Origin: https://localhost:8443, 403",
    "Origin: https://localhost.evil.example, 403",
    "Origin: null, 403"
  })
  void any_other_is_refused_as_http_says(String header, int status) {
    for (var path : List.of("/async", "/blocking")) {
      try (var answer = RawSocket.ask(server, RawSocket.handshake(path, header))) {
        assertThat(answer.head()).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer.head().contains("\r\nsec-websocket-version: 13"))
            .isEqualTo(status == 426);
        assertThat(answer.head().contains("\r\nupgrade: websocket")).isEqualTo(status == 426);
      }
    }
  }

  @Test
  void a_post_is_not_a_handshake() {
    var handshake = RawSocket.handshake("/async", "Content-Length: 0").replace("GET", "POST");
    try (var answer = RawSocket.ask(server, handshake)) {
      assertThat(answer.head()).startsWith("HTTP/1.1 405 ").contains("\r\nallow: get");
    }
  }

  @Test
  void two_keys_are_none() {
    var handshake =
        RawSocket.handshake("/async").replace("Upgrade: w", "Sec-WebSocket-Key: x\r\nUpgrade: w");
    try (var answer = RawSocket.ask(server, handshake)) {
      assertThat(answer.head()).startsWith("HTTP/1.1 400 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/any", "/async", "/nowhere"})
  void a_connection_serves_on_after_a_refused_upgrade(String path) {
    var twice = RawSocket.handshake(path, "Upgrade: h2c") + RawSocket.handshake("/room/second");
    try (var connection = RawSocket.ask(server, twice)) {
      assertThat(connection.head()).doesNotContain(" 101 ");
      assertThat(connection.body()).isNotEmpty();
      assertThat(connection.nextHead()).startsWith("HTTP/1.1 101 ");
      assertThat(connection.next()).isEqualTo("text:in second");
    }
  }

  @Test
  void path_parameters_are_those_of_the_request() {
    try (var socket = RawSocket.open(server, "/room/caf%C3%A9?x=1")) {
      assertThat(socket.next()).isEqualTo("text:in café");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/spoken, 'v1, v2', v1",
    "/spoken, 'v3, v2', v2",
    "/spoken, v3, none",
    "/spoken, '', none",
    "/said, 'v2,v1', v1",
    "/said, v2, none"
  })
  void the_first_subprotocol_that_both_speak_is_agreed_on(
      String path, String asked, String agreed) {
    try (var socket = RawSocket.open(server, path, "Sec-WebSocket-Protocol: " + asked)) {
      assertThat(socket.next()).isEqualTo("text:" + agreed);
      assertThat(socket.head().contains("\r\nsec-websocket-protocol: " + agreed + "\r\n"))
          .isEqualTo(!agreed.equals("none"));
    }
  }

  @Test
  void a_plain_request_over_http2_is_told_too() {
    var request = HttpRequest.newBuilder(server.uri("/async")).version(HttpClient.Version.HTTP_2);
    var answer = server.send(request);
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(answer.statusCode()).isEqualTo(426);
    assertThat(answer.headers().firstValue("upgrade")).isEmpty();
  }

  @Test
  void a_filter_may_refuse_the_upgrade() {
    RouteSet routes =
        mounted ->
            ROUTES.mount(
                mounted.filter(r -> r.response().setStatusCode(401).end("who are you?\n")));
    try (var guarded = TestServer.serving(routes);
        var answer = RawSocket.ask(guarded, RawSocket.handshake("/blocking"))) {
      assertThat(answer.head()).startsWith("HTTP/1.1 401 ");
      assertThat(answer.body()).isEqualTo("who are you?\n");
      assertThat(guarded.metric("roost_blocking_handlers_active")).isZero();
    }
  }

  @Test
  void a_filter_may_take_its_time_and_add_headers() {
    RouteSet routes =
        mounted ->
            ROUTES.mount(
                mounted.filter(
                    r -> {
                      r.response().putHeader("set-cookie", "seen=yes");
                      r.vertx().setTimer(50, _ -> r.next());
                    }));
    try (var guarded = TestServer.serving(routes);
        var socket = RawSocket.open(guarded, "/room/late")) {
      assertThat(socket.head()).contains("\r\nset-cookie: seen=yes");
      assertThat(socket.next()).isEqualTo("text:in late");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://friend.example, https://friend.example, 101",
    "https://friend.example, https://FRIEND.example:443, 101",
    "https://friend.example, https://localhost, 101",
    "https://friend.example, http://friend.example, 403",
    "*, https://anyone.example, 101",
    "*, null, 101"
  })
  void pages_of_other_origins_may_be_allowed(String allowed, String origin, int status) {
    var handshake = RawSocket.handshake("/async", "Origin: " + origin);
    try (var open = TestServer.serving(ROUTES, s -> s.with(origins(s.webSocket(), allowed)));
        var answer = RawSocket.ask(open, handshake)) {
      assertThat(answer.head()).startsWith("HTTP/1.1 " + status + " ");
    }
  }

  @Test
  void past_the_bound_of_blocking_handlers_an_upgrade_is_answered_503() {
    try (var small = TestServer.serving(ROUTES, s -> s.with(new BlockingSettings(1, 64)));
        var first = TestSocket.open(small, "/blocking")) {
      assertThat(first.send("a").receive()).isEqualTo("a");
      try (var answer = RawSocket.ask(small, RawSocket.handshake("/blocking"))) {
        assertThat(answer.head()).startsWith("HTTP/1.1 503 ").contains("\r\nretry-after: 1");
      }
      first.close(1000, "");
      Patience.until("it is free", () -> small.metric("roost_blocking_handlers_active") == 0);
      assertThat(RawSocket.open(small, "/blocking").text("b").next()).isEqualTo("text:b");
    }
  }

  private static WebSocketSettings origins(WebSocketSettings other, String allowed) {
    return new WebSocketSettings(
        other.frameBytesMax(),
        other.messageBytesMax(),
        other.idleTimeout(),
        other.ping(),
        other.outboxMessagesMax(),
        List.of(allowed),
        false);
  }
}
