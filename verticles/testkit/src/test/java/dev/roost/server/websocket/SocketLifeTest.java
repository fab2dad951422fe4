package dev.roost.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.WebSocketSettings;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How sockets end: by either side, by silence, by the peer's death, by a handler's bug; and that
/// it is told once, and that nothing of it is left.
class SocketLifeTest {

  private static final byte[] BYE = Case.closing(1000, "bye");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String ACTIVE = "roost_blocking_handlers_active";

  private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();
  private final AtomicInteger sent = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_close_is_told_once_with_the_words_of_the_peer(String path) {
    try (var server = serving();
        var socket = RawSocket.open(server, path)) {
      socket.send(BYE).send(BYE);
      assertThat(socket.next()).isEqualTo("close:1000 bye");
      assertThat(socket.next()).isEqualTo("end");
      assertToldOnce(server, new CloseReason(1000, "bye"));
      assertThat(server.metric("roost_websockets_closed_total{code=\"1000\"}")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_close_without_a_code_is_told_as_1005(String path) {
    try (var server = serving();
        var socket = RawSocket.open(server, path)) {
      socket.send(Case.frame(Case.FINAL | Case.CLOSE, ""));
      assertToldOnce(server, new CloseReason(1005, ""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_peer_that_just_leaves_is_told_as_1006(String path) {
    try (var log = Logged.everything();
        var server = serving()) {
      RawSocket.open(server, path).close();
      assertToldOnce(server, new CloseReason(1006, ""));
      assertThat(log.blamedOnPeers()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_peer_that_breaks_the_protocol_is_told_as_1006(String path) {
    try (var server = serving();
        var socket = RawSocket.open(server, path)) {
      socket.send(Case.bytes("81 01 61"));
      assertThat(socket.next()).startsWith("close:1002");
      assertThat(socket.next()).isEqualTo("end"); // the server does not wait for an answer
      assertToldOnce(server, new CloseReason(1006, ""));
      assertThat(server.metric("roost_websockets_closed_total{code=\"1002\"}")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"4000, Feierabend", "1008, ''", "3000, x"})
  void the_server_may_close_with_a_code_and_a_reason(int code, String reason) {
    try (var server = serving();
        var socket = RawSocket.open(server, "/async")) {
      assertThat(socket.text("close %d %s".formatted(code, reason)).next()).isEqualTo("text:last");
      assertThat(socket.next()).isEqualTo("close:%d %s".formatted(code, reason));
      socket.send(Case.closing(code, reason));
      assertThat(socket.next()).isEqualTo("end");
      assertToldOnce(server, new CloseReason(code, reason));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 2999, 5000})
  void what_a_close_frame_may_not_say_is_refused_where_it_is_said(int code) {
    assertThatThrownBy(() -> CloseReason.toSend(code, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("close code: " + code);
    assertThatThrownBy(() -> CloseReason.toSend(1000, "é".repeat(62)))
        .hasMessage("close reason: 124 bytes are more than 123");
  }

  @Test
  void nothing_follows_the_close_frame_of_the_server() {
    try (var server = serving();
        var socket = RawSocket.open(server, "/async")) {
      assertThat(socket.text("close and talk").next()).startsWith("close:1000");
      assertThat(socket.text("are you there").send(BYE).next()).isEqualTo("end");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void its_connection_is_counted_once_and_not_as_one_of_http(String path) {
    var http1 = "roost_connections_open{protocol=\"http1\"}";
    var webSocket = "roost_connections_open{protocol=\"websocket\"}";
    try (var server = serving()) {
      try (var socket = RawSocket.open(server, path)) {
        socket.text("hello");
        Patience.until("it is counted", () -> server.metric(webSocket) == 1);
        assertThat(server.metric(http1)).isZero();
      }
      Patience.until("it is gone", () -> server.metric(webSocket) == 0);
      assertThat(server.metric(http1)).isZero();
    }
  }

  @Test
  void a_peer_that_never_answers_the_close_is_cut_in_5_seconds() {
    try (var server = serving();
        var socket = RawSocket.open(server, "/async")) {
      socket.text("close 4000 x");
      assertThat(socket.next()).isEqualTo("text:last");
      assertThat(socket.next()).startsWith("close:4000");
      assertThat(socket.next()).isEqualTo("end");
      assertToldOnce(server, new CloseReason(1006, ""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_silent_socket_is_pinged_and_then_closed_with_1001(String path) {
    try (var server = serving(Duration.ofMillis(3_000), Duration.ofMillis(300));
        var socket = RawSocket.open(server, path)) {
      var frame = socket.next();
      assertThat(frame).isEqualTo("ping:");
      while (frame.equals("ping:")) {
        socket.send(Case.frame(Case.FINAL | Case.PONG, ""));
        frame = socket.next();
      }
      assertThat(frame).isEqualTo("close:1001 idle");
      socket.send(Case.closing(1001, "idle"));
      assertToldOnce(server, new CloseReason(1001, "idle"));
      assertThat(server.metric("roost_websockets_closed_total{code=\"1001\"}")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_dead_peer_is_found_by_the_ping_it_does_not_answer(String path) {
    try (var server = serving(Duration.ofMinutes(5), Duration.ofMillis(600));
        var socket = RawSocket.open(server, path)) {
      assertThat(socket.next()).isEqualTo("ping:");
      assertThat(socket.next()).isEqualTo("close:1001 no answer to a ping");
      assertToldOnce(server, new CloseReason(1006, ""));
    }
  }

  @Test
  void a_peer_that_is_still_sending_one_long_frame_is_not_dead() {
    try (var server = serving(Duration.ofMinutes(5), Duration.ofMillis(600));
        var socket = RawSocket.open(server, "/async")) {
      var bytes = Case.text("slow");
      for (var part : List.of(1, 2, 3, 4)) {
        socket.send(new byte[] {bytes[part - 1]});
        assertThat(socket.next()).isEqualTo("ping:");
      }
      socket.send(java.util.Arrays.copyOfRange(bytes, 4, bytes.length));
      assertThat(socket.next()).isIn("text:slow", "ping:");
    }
  }

  @Test
  void a_socket_to_which_the_server_talks_is_not_idle() {
    try (var server = serving(Duration.ofMillis(1_500), Duration.ofMillis(1_500));
        var socket = TestSocket.open(server, "/ticker")) {
      for (var i = 0; i < 35; i++) {
        assertThat(socket.receive()).isEqualTo("tick");
      }
    }
  }

  @Test
  void a_handler_that_throws_closes_with_1011_and_tells_the_peer_nothing() {
    try (var log = Logged.everything();
        var server = serving();
        var socket = RawSocket.open(server, "/async")) {
      assertThat(socket.text("throw").next()).isEqualTo("close:1011 internal error");
      assertThat(log.warnings()).anyMatch(line -> line.contains("secret of the house"));
    }
  }

  @Test
  void a_ping_is_told_to_a_handler_that_wants_to_know() {
    try (var server = serving();
        var socket = RawSocket.open(server, "/async")) {
      socket.send(Case.frame(Case.FINAL | Case.PING, "hi"));
      assertThat(socket.next()).isEqualTo("pong:6869");
      assertThat(Patience.poll(told)).isEqualTo(Buffer.buffer("hi"));
    }
  }

  @Test
  void a_slow_handler_receives_all_that_came_before_the_close() {
    try (var server = serving();
        var socket = RawSocket.open(server, "/slow")) {
      for (var i = 0; i < 500; i++) {
        socket.text(Integer.toString(i));
      }
      socket.send(BYE);
      release.countDown();
      assertThat(socket.next()).isEqualTo("close:1000 bye");
      assertThat(Patience.poll(told)).isEqualTo(500);
      assertThat(Patience.poll(told)).isEqualTo(new CloseReason(1000, "bye"));
    }
  }

  @Test
  void a_handler_whose_peer_reads_nothing_waits_and_ends_with_it() {
    try (var server = serving()) {
      var socket = RawSocket.open(server, "/flood");
      Patience.until("the handler waits", () -> sentFor(Duration.ofMillis(300)) == 0);
      socket.close();
      Patience.until("it has ended", () -> server.metric(ACTIVE) == 0);
    }
  }

  @Test
  void a_peer_that_reads_nothing_is_shed_by_bytes_long_before_its_messages_are_many() {
    var small = new WebSocketSettings(1 << 20, 100_000, HOUR, HOUR, 65_536, List.of(), false);
    try (var server =
            TestServer.serving(r -> r.wsAsync("/", SocketLifeTest::flood), s -> s.with(small));
        var _ = RawSocket.open(server, "/")) {
      Patience.until(
          "it is shed", () -> server.metric("roost_outbox_shed_total{kind=\"ws\"}") == 1);
      Patience.until(
          "it is gone", () -> server.metric("roost_websockets_open{kind=\"async\"}") == 0);
    }
  }

  @Test
  void pings_of_a_peer_whose_handler_is_slow_are_answered_all_the_same() {
    try (var server = serving();
        var socket = RawSocket.open(server, "/slow")) {
      for (var i = 0; i < 100; i++) {
        socket.send(Case.frame(Case.FINAL | Case.PING, "p"));
        assertThat(socket.next()).isEqualTo("pong:70");
      }
      release.countDown();
    }
  }

  private TestServer serving() {
    return serving(Duration.ofMinutes(5), Duration.ofSeconds(30));
  }

  private TestServer serving(Duration idle, Duration ping) {
    return TestServer.serving(
        routes ->
            routes
                .wsAsync("/async", this::converse)
                .ws("/blocking", this::converse)
                .ws("/slow", this::countSlowly)
                .ws("/flood", this::flood)
                .wsAsync("/ticker", s -> s.request().vertx().setPeriodic(100, _ -> s.send("tick"))),
        settings ->
            settings.with(
                new WebSocketSettings(1 << 20, 4 << 20, idle, ping, 256, List.of(), false)));
  }

  private void converse(AsyncSocket socket) {
    socket.pinged(told::add).closed(told::add).text(text -> answer(socket, text));
  }

  private static void answer(AsyncSocket socket, String text) {
    var words = text.split(" ", 3);
    switch (words[0]) {
      case "throw" -> throw new IllegalStateException("secret of the house");
      case "close" -> {
        if (words[1].equals("and")) {
          socket.close(1000, "");
        } else {
          socket.send("last");
          socket.close(Integer.parseInt(words[1]), words[2]);
        }
        socket.send("too late");
      }
      default -> socket.send(text);
    }
  }

  private void converse(BlockingSocket socket) throws Exception {
    Echo.serve(socket);
    told.add(socket.closeReason());
  }

  private static void flood(AsyncSocket socket) {
    socket.request().vertx().setPeriodic(1, _ -> socket.send(Buffer.buffer(new byte[50_000])));
  }

  private void flood(BlockingSocket socket) throws Exception {
    for (var big = Buffer.buffer(new byte[100_000]); socket.isOpen(); sent.incrementAndGet()) {
      socket.send(big);
    }
  }

  /// Messages that go out from now on, once the first has; the handler is stuck when none do.
  private int sentFor(Duration time) {
    var before = sent.get();
    var end = System.nanoTime() + time.toNanos();
    while (before == 0 || System.nanoTime() < end) {
      if (sent.get() != before) {
        return sent.get() - before;
      }
      Thread.onSpinWait();
    }
    return 0;
  }

  private void countSlowly(BlockingSocket socket) throws InterruptedException {
    release.await();
    var count = 0;
    while (socket.receive() != null) {
      count++;
    }
    told.add(count);
    told.add(socket.closeReason());
  }

  private void assertToldOnce(TestServer server, CloseReason reason) {
    assertThat(Patience.poll(told)).isEqualTo(reason);
    Patience.until(
        "nothing is left",
        () ->
            server.metric("roost_connections_open{protocol=\"websocket\"}") == 0
                && server.metric(ACTIVE) == 0);
    assertThat(told).isEmpty();
  }
}
