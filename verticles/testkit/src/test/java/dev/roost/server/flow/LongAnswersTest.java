package dev.roost.server.flow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.websocket.BlockingSocket;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.RawConnection.Ending;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Answers that take longer than the close handshake may, to a peer that has said or shown that it
/// goes.
class LongAnswersTest {

  private static final int TEXT = 0x81;
  private static final int CLOSE = 0x88;

  /// Code 1000 and a reason.
  private static final byte[] BYE = RawSocket.frame(CLOSE, "\u0003\u00e8bye".getBytes(ISO_8859_1));

  private static final int PARTS = 24;
  private static final int BIG = 4 << 20;

  private final CountDownLatch release = new CountDownLatch(1);
  private final LinkedBlockingQueue<Integer> told = new LinkedBlockingQueue<>();

  @Test
  void an_answer_in_many_parts_reaches_a_peer_that_has_closed() {
    try (var server = serving(Duration.ofSeconds(30));
        var socket = RawSocket.open(server, "/parts")) {
      socket.text("twit").send(BYE);
      for (var part = 0; part < PARTS; part++) {
        assertThat(socket.next()).isEqualTo("text:part " + part);
      }
      assertThat(socket.next()).isEqualTo("close:1000 bye");
      assertThat(Patience.poll(told)).isEqualTo(1000);
    }
  }

  @Test
  void a_peer_that_takes_no_answer_behind_its_close_is_cut_and_told_as_unclean() {
    try (var server = serving(Duration.ofMillis(500));
        var socket = RawSocket.open(server, "/big")) {
      socket.text("twit").send(BYE);
      assertThat(Patience.poll(told)).isEqualTo(1006);
      Patience.until("it is counted", () -> closed(server, 1006) == 1);
      assertThat(told).isEmpty();
    }
  }

  /// RFC 6455, 7.1.5: without a Close frame it is 1006, and nothing is owed.
  @ParameterizedTest
  @EnumSource
  void a_slow_handler_runs_to_its_end_where_its_peer_left_without_a_close(Ending ending) {
    try (var server = serving(Duration.ofSeconds(30));
        var log = Logged.everything();
        var peer = upgraded(server, "/slow")) {
      peer.send(new String(RawSocket.frame(TEXT, "twit".getBytes(UTF_8)), ISO_8859_1));
      peer.end(ending);
      Patience.until("others are served", () -> server.get("/").body().equals("here"));
      release.countDown();
      assertThat(Patience.poll(told)).isEqualTo(1006);
      Patience.until("it is counted", () -> closed(server, 1006) == 1);
      assertThat(told).isEmpty();
      assertThat(log.warningsFrom("dev.roost.server.websocket")).isEmpty();
    }
  }

  private TestServer serving(Duration sendTimeout) {
    return TestServer.serving(
        routes ->
            routes
                .get("/", request -> request.end("here"))
                .ws("/parts", this::sendParts)
                .ws("/big", this::sendBig)
                .ws("/slow", this::answerSlowly),
        settings -> within(settings, sendTimeout));
  }

  /// Seven seconds in all.
  private void sendParts(BlockingSocket socket) throws Exception {
    socket.receive();
    for (var part = 0; part < PARTS; part++) {
      socket.send("part " + part);
      assertThat(release.await(300, TimeUnit.MILLISECONDS)).isFalse();
    }
    tellEnd(socket);
  }

  private void sendBig(BlockingSocket socket) throws Exception {
    socket.receive();
    try {
      socket.send(Buffer.buffer(new byte[BIG]));
      socket.send(Buffer.buffer(new byte[BIG]));
    } finally {
      tellEnd(socket);
    }
  }

  private void answerSlowly(BlockingSocket socket) throws Exception {
    var message = Objects.requireNonNull(socket.receive());
    release.await();
    try {
      socket.send(message);
    } finally {
      tellEnd(socket);
    }
  }

  private void tellEnd(BlockingSocket socket) throws InterruptedException {
    while (socket.receive() != null) {
      // nothing more is asked
    }
    told.add(socket.closeReason().code());
  }

  private static ServerSettings within(ServerSettings settings, Duration sendTimeout) {
    var http = settings.http();
    return settings.with(
        new HttpSettings(
            http.headerBytesMax(), http.bodyBytesMax(), http.keepAliveTimeout(), sendTimeout));
  }

  private static double closed(TestServer server, int code) {
    return server.metric("roost_websockets_closed_total{code=\"%d\"}".formatted(code));
  }

  private static RawConnection upgraded(TestServer server, String path) {
    var peer = RawConnection.to(server);
    peer.send(RawSocket.handshake(path));
    assertThat(peer.answer().status()).isEqualTo(101);
    return peer;
  }
}
