package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Streams are never parked: when they fill the heap, who comes is told so, and who was there is
/// served.
class FullHeapProcessTest {
  private static final Map<String, String> SMALL = Map.of("JAVA_OPTS", "-Xmx28m -XX:MaxNewSize=6m");

  /// Far more than fit.
  private static final int STREAMS_MAX = 3_000;

  private static final String PARKED = "roost_connections_parked";

  @TempDir private Path folder = Path.of("");
  private final List<RawConnection> streams = new ArrayList<>();

  @Test
  void beyond_it_clients_are_refused_and_the_parked_still_wake() throws Exception {
    try (var vertx = VertxProcess.serving("hello", folder, SMALL)) {
      var ready = vertx.ready();
      var server =
          TestServer.at(Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
      try (var parked = RawConnection.to(server)) {
        assertThat(ask(parked).status()).isEqualTo(200);
        Patience.until("it is parked", () -> server.metric(PARKED) == 1);
        assertThat(fill(server)).startsWith("HTTP/1.1 503 ");
        assertThat(ask(parked).status()).isEqualTo(200);
      }
      streams.forEach(RawConnection::close);
      Patience.until("there is room again", () -> isServed(server));
    }
  }

  /// @return what the first one is told that is no stream any more
  private String fill(TestServer server) {
    while (streams.size() < STREAMS_MAX) {
      var stream = RawConnection.to(server);
      streams.add(stream);
      stream.send("GET /news/stream HTTP/1.1\r\nHost: roost\r\n\r\n");
      var status = stream.statusLine();
      if (!status.startsWith("HTTP/1.1 200 ")) {
        return status;
      }
    }
    return "all of them were served";
  }

  private static boolean isServed(TestServer server) {
    try (var client = RawConnection.to(server)) {
      return ask(client).status() == 200;
    }
  }

  private static RawConnection.Answer ask(RawConnection client) {
    client.send("GET / HTTP/1.1\r\nHost: roost\r\n\r\n");
    return client.answer();
  }
}
