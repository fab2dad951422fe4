package dev.roost.server.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.Mode;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.RawConnection.Ending;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Peers that close right behind their messages: they still get the answers (RFC 6455, 5.5.1). All
/// frames come in one TLS record, so the close frame is there before the handler runs.
class LastWordsTest {

  private static final byte[] BYE = Case.closing(1000, "bye");

  private final CountDownLatch release = new CountDownLatch(1);

  @ParameterizedTest
  @CsvSource({"REACTOR,/async", "REACTOR,/blocking", "CLASSIC,/async", "CLASSIC,/blocking"})
  void answers_come_before_the_close_is_answered(Mode mode, String path) {
    try (var server = serving(mode);
        var socket = RawSocket.open(server, path)) {
      socket.send(frames("twit", "twoo"));
      assertThat(socket.next()).isEqualTo("text:twit");
      assertThat(socket.next()).isEqualTo("text:twoo");
      assertThat(socket.next()).isEqualTo("close:1000 bye");
      assertThat(socket.next()).isEqualTo("end");
    }
  }

  static Stream<Arguments> endings() {
    return Stream.of(Mode.values())
        .flatMap(
            mode ->
                Stream.of("/async", "/blocking")
                    .flatMap(
                        path ->
                            Stream.of(Ending.values())
                                .map(ending -> Arguments.of(mode, path, ending))));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void answers_reach_a_peer_that_also_ends_its_side(Mode mode, String path, Ending ending) {
    try (var server = serving(mode);
        var peer = upgraded(server, path)) {
      peer.send(new String(frames("twit"), ISO_8859_1));
      peer.end(ending);
      assertThat(peer.rest()).contains("twit").contains("bye");
      assertLeft(server, path);
    }
  }

  @ParameterizedTest
  @CsvSource({"REACTOR,/async", "REACTOR,/blocking", "CLASSIC,/async", "CLASSIC,/blocking"})
  void answers_reach_a_peer_that_ends_its_side_without_a_close_frame(Mode mode, String path) {
    try (var server = serving(mode);
        var peer = upgraded(server, path)) {
      peer.send(new String(text("twit"), ISO_8859_1));
      peer.end(Ending.FIN);
      assertThat(peer.rest()).contains("twit");
      assertLeft(server, path);
      assertThat(server.metric("roost_websockets_closed_total{code=\"1006\"}")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handler_that_takes_too_long_does_not_hold_the_close_up_for_ever(Mode mode) {
    try (var server = serving(mode);
        var socket = RawSocket.open(server, "/stuck")) {
      socket.send(frames("twit"));
      assertThat(socket.next()).isEqualTo("close:1000 bye"); // after 5 seconds
      release.countDown();
      assertLeft(server, "/blocking");
    }
  }

  @Test
  void a_handler_that_does_not_read_holds_no_close_up() {
    try (var server = serving(Mode.REACTOR);
        var socket = RawSocket.open(server, "/deaf")) {
      socket.send(BYE);
      assertThat(socket.next()).isEqualTo("close:1000 bye");
    } finally {
      release.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handler_that_returns_with_its_answer_is_no_exception(Mode mode) {
    try (var server = serving(mode);
        var socket = RawSocket.open(server, "/once")) {
      socket.send(frames("twit"));
      assertThat(socket.next()).isEqualTo("text:twit");
      assertThat(socket.next()).isEqualTo("close:1000 bye");
      assertThat(socket.next()).isEqualTo("end");
    }
  }

  private TestServer serving(Mode mode) {
    return TestServer.serving(
        routes ->
            routes
                .wsAsync("/async", socket -> socket.text(socket::send))
                .ws("/blocking", Echo::serve)
                .ws("/once", socket -> socket.send(Objects.requireNonNull(socket.receive())))
                .ws("/deaf", _ -> release.await())
                .ws("/stuck", this::stick),
        settings -> settings.with(mode));
  }

  private void stick(BlockingSocket socket) throws Exception {
    socket.receive();
    release.await();
    Echo.serve(socket);
  }

  private static void assertLeft(TestServer server, String path) {
    var open = "roost_websockets_open{kind=\"%s\"}".formatted(path.substring(1));
    Patience.until("it is closed", () -> server.metric(open) == 0);
    Patience.until(
        "its connection is closed",
        () -> server.metric("roost_connections_open{protocol=\"websocket\"}") == 0);
  }

  private static RawConnection upgraded(TestServer server, String path) {
    var peer = RawConnection.to(server);
    peer.send(RawSocket.handshake(path));
    assertThat(peer.answer().status()).isEqualTo(101);
    return peer;
  }

  private static byte[] frames(String... texts) {
    var frames = new ByteArrayOutputStream();
    Stream.of(texts).map(LastWordsTest::text).forEach(frames::writeBytes);
    frames.writeBytes(BYE);
    return frames.toByteArray();
  }

  private static byte[] text(String text) {
    return RawSocket.frame(Case.FINAL | 1, text.getBytes(UTF_8));
  }
}
