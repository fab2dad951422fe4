package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.Routes;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/// An HTTP/2 client that takes nothing of one answer still takes the others, on the same
/// connection, long before `http.send-timeout` (30 s here) cuts the one.
class StalledStreamTest {

  private static final int WINDOW = 65_535;
  private static final byte[] STALLED = numbered(24 << 20);
  private static final byte[] BIG = numbered(4 << 20);

  /// What a handler that minds `writeQueueFull` may have written of an answer nobody takes: the
  /// stream's window, Vert.x's queue and a chunk.
  private static final long AHEAD_MAX = 256 << 10;

  private final LinkedBlockingQueue<RoutingContext> requests = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

  @Test
  void requests_that_come_together_are_answered_though_the_first_answer_fills_the_connection()
      throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      theOthersCome(server, peer);
    }
  }

  @Test
  void beside_a_whole_answer_that_is_not_taken_the_others_come_whole() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      peer.until(peer.get("/whole"), WINDOW);
      theOthersCome(server, peer);
    }
  }

  @Test
  void beside_a_pumped_answer_that_is_not_taken_the_others_come_whole() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      peer.until(peer.get("/pumped"), WINDOW);
      theOthersCome(server, peer);
      var pump = Patience.poll(requests).response();
      assertThat(pump.bytesWritten()).isBetween((long) WINDOW, AHEAD_MAX);
      assertThat(pump.writeQueueFull()).isTrue();
    }
  }

  @Test
  void beside_many_answers_that_are_not_taken_the_others_come_whole() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      for (var i = 0; i < 8; i++) {
        peer.until(peer.get(i % 2 == 0 ? "/whole" : "/pumped"), WINDOW);
      }
      theOthersCome(server, peer);
    }
  }

  @Test
  void what_was_not_taken_comes_in_order_and_with_its_trailers_when_it_is() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      var late = peer.get("/whole");
      peer.until(late, WINDOW);
      theOthersCome(server, peer);
      peer.grow(late, 1);
      peer.until(late, WINDOW + 1);
      peer.grow(late, WINDOW);
      peer.take(Set.of(late));
      assertThat(peer.answer(late).body.toByteArray()).isEqualTo(STALLED);
      assertThat(peer.answer(late).heads).isEqualTo(2);
    }
  }

  @Test
  void a_setting_takes_windows_back_and_gives_them_again() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      var late = peer.get("/whole");
      peer.until(late, WINDOW);
      peer.initialWindow(10);
      peer.initialWindow(STALLED.length);
      peer.take(Set.of(late));
      assertThat(peer.answer(late).body.toByteArray()).isEqualTo(STALLED);
      assertThat(peer.answer(late).reset).isFalse();
    }
  }

  @Test
  void a_client_that_gives_windows_byte_by_byte_is_not_read_ahead_for() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      var slow = peer.get("/pumped");
      peer.until(slow, WINDOW);
      for (var i = 1; i <= 500; i++) {
        peer.grow(slow, 1);
        peer.until(slow, WINDOW + i);
      }
      assertThat(Patience.poll(requests).response().bytesWritten()).isLessThan(AHEAD_MAX);
    }
  }

  @Test
  void the_handler_is_told_when_the_client_gives_up_what_it_has_not_taken() throws IOException {
    try (var server = TestServer.serving(this::mount);
        var peer = Http2Peer.of(server, WINDOW)) {
      var stalled = peer.get("/told");
      peer.until(stalled, WINDOW);
      peer.cancel(stalled);
      assertThat(Patience.poll(failures)).hasMessageContaining("closed");
      assertThat(Patience.poll(requests).response().closed()).isTrue();
      theOthersCome(server, peer);
    }
  }

  @Test
  void the_handler_is_told_when_the_client_leaves_without_having_taken_all() throws IOException {
    try (var server = TestServer.serving(this::mount)) {
      try (var peer = Http2Peer.of(server, WINDOW)) {
        peer.until(peer.get("/told"), WINDOW);
      }
      assertThat(Patience.poll(failures)).hasMessageContaining("closed");
    }
  }

  private void mount(Routes routes) {
    routes
        .get("/whole", StalledStreamTest::whole)
        .get("/pumped", this::pumped)
        .get("/told", this::told)
        .get("/big", c -> c.end(Buffer.buffer(BIG)))
        .get("/small", c -> c.end("here"));
  }

  private static void whole(RoutingContext request) {
    var response = request.response().putTrailer("sum", "all");
    var _ = response.end(Buffer.buffer(STALLED));
  }

  private void told(RoutingContext request) {
    requests.add(request);
    request.response().end(Buffer.buffer(STALLED)).onFailure(failures::add);
  }

  private void pumped(RoutingContext request) {
    requests.add(request);
    request.response().drainHandler(_ -> fill(request));
    fill(request);
  }

  /// One piece per turn, as from a file.
  private static void fill(RoutingContext request) {
    var response = request.response();
    if (!response.writeQueueFull() && !response.write(Buffer.buffer(new byte[8 << 10])).failed()) {
      request.vertx().runOnContext(_ -> fill(request));
    }
  }

  /// Big and small ones at the same time.
  private static void theOthersCome(TestServer server, Http2Peer peer) throws IOException {
    var big = new HashSet<Integer>();
    var small = new HashSet<Integer>();
    for (var i = 0; i < 12; i++) {
      (i % 4 == 0 ? big : small).add(peer.get(i % 4 == 0 ? "/big" : "/small"));
    }
    peer.take(small);
    peer.take(big);
    assertThat(small).allSatisfy(s -> assertThat(peer.answer(s).body).hasToString("here"));
    assertThat(big).allMatch(s -> Arrays.equals(peer.answer(s).body.toByteArray(), BIG));
    assertThat(server.metric("roost_http_send_timeouts_total")).isZero();
  }

  private static byte[] numbered(int length) {
    var bytes = new byte[length];
    for (var i = 0; i < length; i++) {
      bytes[i] = (byte) (i >> 8 ^ i);
    }
    return bytes;
  }
}
