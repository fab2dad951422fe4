package dev.roost.server.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.Mode;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client sends right behind a request for an upgrade, before it has its answer.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EarlyFramesTest {

  private static final RouteSet ROUTES =
      routes ->
          routes
              .filter(EarlyFramesTest::slowWhereAsked)
              .get("/", request -> request.end("hello"))
              .post("/body", request -> request.end(request.body().asString()))
              .wsAsync("/async", socket -> socket.text(socket::send))
              .ws(
                  "/blocking",
                  socket -> {
                    for (var m = socket.receive(); m != null; m = socket.receive()) {
                      socket.send(m);
                    }
                  });

  private TestServer reactor;
  private TestServer classic;

  @BeforeAll
  void serve() {
    reactor = TestServer.serving(ROUTES);
    classic = TestServer.serving(ROUTES, settings -> settings.with(Mode.CLASSIC));
  }

  @AfterAll
  void stop() {
    reactor.close();
    classic.close();
  }

  @ParameterizedTest
  @CsvSource({
    "REACTOR, /async", "REACTOR, /async?slow", "REACTOR, /blocking", "REACTOR, /blocking?slow",
    "CLASSIC, /async", "CLASSIC, /async?slow", "CLASSIC, /blocking", "CLASSIC, /blocking?slow"
  })
  void frames_in_one_record_with_the_request_reach_the_handler(Mode mode, String path) {
    var early = RawSocket.handshake(path) + frames("one", "two\r\n\r\n");
    try (var socket = RawSocket.ask(of(mode), early)) {
      assertThat(socket.head()).startsWith("HTTP/1.1 101 ");
      assertThat(socket.next()).isEqualTo("text:one");
      assertThat(socket.next()).isEqualTo("text:two\r\n\r\n");
      assertThat(socket.text("three").next()).isEqualTo("text:three");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/async?slow", "/blocking?slow"})
  void a_request_that_comes_byte_by_byte_with_frames_behind_it_is_one_too(String path) {
    var early = (RawSocket.handshake(path) + frames("one")).getBytes(ISO_8859_1);
    try (var socket = RawSocket.connect(reactor)) {
      for (var next : early) {
        socket.send(new byte[] {next});
      }
      assertThat(socket.nextHead()).startsWith("HTTP/1.1 101 ");
      assertThat(socket.next()).isEqualTo("text:one");
    }
  }

  @Test
  void many_frames_wait_for_a_slow_answer_and_keep_their_order() {
    var texts = IntStream.range(0, 2_000).mapToObj("message %d of many"::formatted).toList();
    var early = RawSocket.handshake("/async?slow") + frames(texts.toArray(String[]::new));
    try (var socket = RawSocket.ask(reactor, early)) {
      for (var text : texts) {
        assertThat(socket.next()).isEqualTo("text:" + text);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/?slow", "/nowhere", "/nowhere?slow", "/async?slow"})
  void requests_behind_a_refused_one_are_answered(String path) {
    var refused = RawSocket.handshake(path, "Sec-WebSocket-Version: 8");
    var early = refused + get("/") + get("/?slow") + RawSocket.handshake("/async") + frames("one");
    try (var socket = RawSocket.ask(reactor, early)) {
      assertThat(socket.head()).doesNotStartWith("HTTP/1.1 101 ");
      assertThat(socket.body()).isNotEmpty();
      for (var i = 0; i < 2; i++) {
        assertThat(socket.nextHead()).startsWith("HTTP/1.1 200 ");
        assertThat(socket.body()).isEqualTo("hello");
      }
      assertThat(socket.nextHead()).startsWith("HTTP/1.1 101 ");
      assertThat(socket.next()).isEqualTo("text:one");
    }
  }

  @Test
  void a_body_that_looks_like_a_request_for_an_upgrade_is_a_body() {
    var body = RawSocket.handshake("/async") + "and more";
    var post =
        "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body);
    try (var socket = RawSocket.ask(reactor, get("/") + post + get("/"))) {
      assertThat(socket.body()).isEqualTo("hello");
      assertThat(socket.nextHead()).startsWith("HTTP/1.1 200 ");
      assertThat(socket.body()).isEqualTo(body);
      assertThat(socket.nextHead()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void a_client_that_leaves_meanwhile_leaves_nothing() {
    var early = RawSocket.handshake("/async?slow") + frames("one");
    try (var socket = RawSocket.connect(reactor)) {
      socket.send(early.getBytes(ISO_8859_1));
    }
    assertThat(reactor.get("/").body()).isEqualTo("hello");
    Patience.until("it is gone", () -> reactor.metric("roost_http_requests_in_flight") == 0);
  }

  private TestServer of(Mode mode) {
    return switch (mode) {
      case REACTOR -> reactor;
      case CLASSIC -> classic;
    };
  }

  private static void slowWhereAsked(RoutingContext request) {
    if ("slow".equals(request.request().query())) {
      request.vertx().setTimer(100, _ -> request.next());
    } else {
      request.next();
    }
  }

  private static String get(String path) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path);
  }

  private static String frames(String... texts) {
    return Arrays.stream(texts)
        .map(text -> RawSocket.frame(0x81, text.getBytes(UTF_8)))
        .map(frame -> new String(frame, ISO_8859_1))
        .collect(Collectors.joining());
  }
}
