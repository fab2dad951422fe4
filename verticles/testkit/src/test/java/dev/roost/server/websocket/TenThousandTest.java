package dev.roost.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// As many handlers as `blocking.handlers` allows by default wait at once, and starve nobody. The
/// other ends of their sockets are in a process of their own.
@Timeout(300)
class TenThousandTest {

  private static final int COUNT = 10_000;
  private static final String ACTIVE = "roost_blocking_handlers_active";

  private final CountDownLatch release = new CountDownLatch(1);

  @Test
  void ten_thousand_handlers_may_block_at_once() throws IOException {
    assumeTrue(filesMax() > COUNT + 1_000, "the limit of open files is too low");
    try (var server = serving()) {
      var peers = startPeers(server);
      try (var said = peers.inputReader()) {
        assertThat(said.readLine()).isEqualTo("open");
        assertThat(server.metric(ACTIVE)).isEqualTo(COUNT);
        assertOthersAreServed(server);
        release.countDown();
        assertThat(said.readLine()).isEqualTo("told");
        Patience.until("all have ended", () -> server.metric(ACTIVE) == 0);
      } finally {
        peers.destroy();
      }
    }
  }

  private static void assertOthersAreServed(TestServer server) {
    assertThat(server.get("/").body()).isEqualTo("hello\n");
    try (var socket = RawSocket.open(server, "/async");
        var oneMore = RawSocket.ask(server, RawSocket.handshake("/wait"))) {
      assertThat(socket.text("a").next()).isEqualTo("text:a");
      assertThat(oneMore.head()).startsWith("HTTP/1.1 503 ");
    }
  }

  private TestServer serving() {
    return TestServer.serving(
        routes ->
            routes
                .get("/", request -> request.end("hello\n"))
                .wsAsync("/async", socket -> socket.text(socket::send))
                .ws("/wait", this::hold));
  }

  private void hold(BlockingSocket socket) throws IOException, InterruptedException {
    release.await();
    socket.send("released");
  }

  private static Process startPeers(TestServer server) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            ManyPeers.class.getName(),
            Integer.toString(server.port()),
            Integer.toString(COUNT))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static long filesMax() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
