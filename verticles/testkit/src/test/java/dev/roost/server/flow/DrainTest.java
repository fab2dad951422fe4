package dev.roost.server.flow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.Roost;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.ShutdownSettings;
import dev.roost.server.tls.SelfSignedCertificate;
import dev.roost.server.websocket.BlockingSocket;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The drain timeout is kept, whatever clients do.
class DrainTest {

  private static final Duration DRAIN = Duration.ofMillis(500);

  /// What a loaded machine may take: less than any other timeout that could be in the way.
  private static final Duration BOUND = Duration.ofMillis(2_900);

  private static final Buffer BIG = Buffer.buffer(new byte[12 << 20]);

  private final AtomicInteger asked = new AtomicInteger();

  private final CountDownLatch released = new CountDownLatch(1);

  private final RouteSet routes =
      mounted ->
          mounted
              .filter(
                  request -> {
                    asked.incrementAndGet();
                    request.next();
                  })
              .wsAsync("/async", socket -> socket.text(socket::send))
              .ws("/blocking", BlockingSocket::receive)
              .ws("/stubborn", _ -> stubborn())
              .wsAsync("/flood", socket -> socket.send(BIG))
              .get("/big", request -> request.end(BIG))
              .get("/never", _ -> {})
              .sse("/stream", stream -> stream.send("x".repeat(12 << 20)));

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking"})
  void a_peer_that_never_answers_the_close_is_cut_at_its_end(String path) {
    try (var server = serving(DRAIN);
        var socket = RawSocket.open(server, path)) {
      assertClosesInTime(server.roost());
      assertThat(socket.next()).isEqualTo("close:1001 the server is stopping");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/flood", "/big", "/stream", "/never"})
  void a_client_that_reads_nothing_is_cut_at_its_end(String path) {
    try (var server = serving(DRAIN);
        var _ = asking(server, path)) {
      assertClosesInTime(server.roost());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/async", "/blocking", "/flood", "/big", "/stream", "/never"})
  void where_there_is_none_everything_is_cut_at_once(String path) {
    try (var server = serving(Duration.ZERO);
        var _ = asking(server, path)) {
      assertClosesInTime(server.roost());
    }
  }

  @Test
  void an_embedded_server_keeps_it_too(@TempDir Path folder) {
    var settings = ServerSettings.loopback(SelfSignedCertificate.in(folder)).with(drain(DRAIN));
    var roost = TestServer.await(Roost.start(routes, settings));
    try (var socket = RawSocket.connect(roost.port())) {
      socket.send(RawSocket.handshake("/async").getBytes(US_ASCII)).nextHead();
      assertThat(socket.text("hi").next()).isEqualTo("text:hi");
      assertClosesInTime(roost);
    }
  }

  @Test
  void a_blocking_handler_that_heeds_no_interrupt_is_left_and_told() {
    try (var log = Logged.everything();
        var server = serving(DRAIN);
        var _ = asking(server, "/stubborn")) {
      TestServer.await(server.roost().close());
      assertThat(log.linesFrom("dev.roost.server.flow.BlockingVerticle"))
          .containsExactly(
              "1 blocking handlers did not end though they were interrupted, and are left");
    } finally {
      released.countDown();
    }
  }

  private void stubborn() {
    while (released.getCount() > 0) {
      try {
        released.await();
      } catch (InterruptedException _) {
        // that is what is tested
      }
    }
  }

  private TestServer serving(Duration timeout) {
    return TestServer.serving(routes, settings -> settings.with(drain(timeout)));
  }

  private static ShutdownSettings drain(Duration timeout) {
    return new ShutdownSettings(Duration.ZERO, timeout);
  }

  /// A client that asks and then neither reads nor sends.
  private RawSocket asking(TestServer server, String path) {
    var socket = RawSocket.connect(server);
    socket.send(RawSocket.handshake(path).getBytes(US_ASCII));
    Patience.until("it has asked", () -> asked.get() == 1);
    return socket;
  }

  private static void assertClosesInTime(Roost roost) {
    var start = System.nanoTime();
    TestServer.await(roost.close());
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
  }
}
