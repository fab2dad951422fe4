package dev.roost.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.WebSocketSettings;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that others wrote get from the server what they expect: `ws` of npm and Python's
/// `websockets`, each against both kinds of socket, with and without compression.
class PeersTest {

  /// Where scripts/test.sh installs it.
  private static final Path WS = installed(Path.of("target/peers/node_modules/ws"));

  /// Debian's own, for which the package is: another one may come before it.
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({"async, off", "async, on", "blocking, off", "blocking, on"})
  void the_npm_package_ws_is_served(String kind, String compression) throws Exception {
    assumeTrue(works("node", "-e", "require('%s')".formatted(WS)), "no node, or no ws in " + WS);
    try (var server = serving(kind, compression.equals("on"))) {
      assertThat(run("node", script("peer.js"), WS.toString(), url(server)))
          .containsExactly(
              "extensions " + (compression.equals("on") ? "permessage-deflate" : "none"),
              "text text:한국어 🐦",
              "binary bytes:00ff80",
              "fragments pong:in between text:one message",
              "big true",
              "closed close:4001 bye",
              "too big close:1009",
              "closed by the server close:4002 as you wish",
              "subprotocol v1",
              "refused 404");
    }
  }

  @ParameterizedTest
  @CsvSource({"async, off", "async, on", "blocking, off", "blocking, on"})
  void pythons_package_websockets_is_served(String kind, String compression) throws Exception {
    assumeTrue(works(PYTHON, "-c", "import websockets"), "no python3-websockets");
    try (var server = serving(kind, compression.equals("on"))) {
      assertThat(run(PYTHON, script("peer.py"), url(server)))
          .containsExactly(
              "extensions " + (compression.equals("on") ? "permessage-deflate" : "none"),
              "text text:한국어 🐦",
              "binary bytes:00ff80",
              "fragments text:one message",
              "big True",
              "closed 4001 bye",
              "too big close:1009",
              "closed by the server close:4002 as you wish",
              "subprotocol v1",
              "refused 404");
    }
  }

  private static TestServer serving(String kind, boolean compression) {
    RouteSet async =
        routes ->
            routes
                .wsAsync("/echo", s -> s.text(t -> answer(s, t)).binary(s::send))
                .wsAsync("/spoken", List.of("v1"), _ -> {});
    RouteSet blocking =
        routes -> routes.ws("/echo", PeersTest::answer).ws("/spoken", List.of("v1"), Echo::serve);
    var settings =
        new WebSocketSettings(
            4 << 20,
            4 << 20,
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            256,
            List.of(),
            compression);
    return TestServer.serving(kind.equals("async") ? async : blocking, s -> s.with(settings));
  }

  private static void answer(AsyncSocket socket, String text) {
    if (text.equals("close")) {
      socket.close(4002, "as you wish");
    } else {
      socket.send(text);
    }
  }

  private static void answer(BlockingSocket socket) throws IOException, InterruptedException {
    for (var message = socket.receive(); message != null; message = socket.receive()) {
      if (message.equals(new Message.Text("close"))) {
        socket.close(4002, "as you wish");
      } else {
        socket.send(message);
      }
    }
  }

  /// The tests run in the module's folder or above it.
  private static Path installed(Path inTree) {
    return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
        .map(folder -> folder.resolve(inTree))
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(inTree);
  }

  private static String url(TestServer server) {
    return "wss://127.0.0.1:" + server.port();
  }

  private String script(String name) throws IOException {
    try (InputStream script = PeersTest.class.getResourceAsStream("/peers/" + name)) {
      return Files.write(folder.resolve(name), script.readAllBytes()).toString();
    }
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  private static List<String> run(String... command) throws IOException {
    var timed = new ArrayList<>(List.of("timeout", "30"));
    timed.addAll(List.of(command));
    var process = new ProcessBuilder(timed).redirectErrorStream(true).start();
    try (var lines = process.inputReader()) {
      return lines.lines().toList();
    }
  }
}
