package dev.roost.server.park;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ParkSettings.Kind;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that others have written, with TLS libraries of their own, on lean connections.
class LeanPeersTest {

  private static final String NOW = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";

  private static final String OPENSSL = "openssl s_client -connect 127.0.0.1:PORT";

  private static final String PYTHON =
      """
      import socket, ssl, sys, threading
      context = ssl._create_unverified_context()
      tls = context.wrap_socket(socket.create_connection(("127.0.0.1", PORT)))
      def show():
        while True:
          got = tls.recv(4096)
          if not got: break
          sys.stdout.write(got.decode()); sys.stdout.flush()
      threading.Thread(target=show, daemon=True).start()
      for said in iter(lambda: sys.stdin.buffer.raw.read(4096), b""): tls.send(said)
      """;

  private static final String NODE =
      """
      const to = {port: PORT, host: "127.0.0.1", rejectUnauthorized: false};
      const tls = require("tls").connect(to);
      tls.on("data", got => process.stdout.write(got));
      process.stdin.on("data", said => tls.write(said));
      """;

  @TempDir Path folder;

  /// A client whose user types and reads.
  private static final class Client implements AutoCloseable {
    private final Process process;

    Client(String[] command, int port) throws IOException {
      assumeTrue(isThere(command[0]), command[0]);
      var filled =
          Arrays.stream(command).map(word -> word.replace("PORT", Integer.toString(port))).toList();
      process = new ProcessBuilder(filled).redirectErrorStream(true).start();
    }

    void type(String text) throws IOException {
      process.getOutputStream().write(text.getBytes(ISO_8859_1));
      process.getOutputStream().flush();
    }

    void isAnswered() {
      Patience.await(CompletableFuture.runAsync(() -> readUpTo("\r\n\r\nnow")));
    }

    private void readUpTo(String text) {
      try {
        var read = new StringBuilder();
        InputStream output = process.getInputStream();
        while (read.indexOf(text) < 0) {
          var next = output.read();
          assertThat(next).as("it has ended after %s", read).isNotNegative();
          read.append((char) next);
        }
      } catch (IOException failure) {
        throw new AssertionError(failure);
      }
    }

    @Override
    public void close() {
      process.destroy();
    }

    private static boolean isThere(String command) throws IOException {
      try {
        return new ProcessBuilder(command, "--version").start().waitFor(20, TimeUnit.SECONDS);
      } catch (IOException _) {
        return false;
      } catch (InterruptedException failure) {
        throw new AssertionError(failure);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TLS_AES_128_GCM_SHA256, K", // K asks for new keys, k only has new ones
    "TLS_AES_256_GCM_SHA384, k",
    "TLS_CHACHA20_POLY1305_SHA256, K"
  })
  void openssl_changes_keys_on_a_lean_connection(String suite, String key) throws IOException {
    try (var server = lean();
        var client = new Client((OPENSSL + " -ciphersuites " + suite).split(" "), server.port())) {
      for (var parks = 0; parks < 3; parks++) {
        isLean(server);
        var before = server.metric("roost_connections_parks_total");
        client.type(key + "\n");
        Patience.until(
            "it was woken by the new keys",
            () -> server.metric("roost_connections_parks_total") > before);
        client.type(NOW);
        client.isAnswered();
      }
    }
  }

  @Test
  void openssl_resumes_with_a_ticket_and_is_lean_again() throws IOException {
    var session = folder.resolve("session").toString();
    try (var server = lean()) {
      talk(server, (OPENSSL + " -sess_out " + session).split(" "));
      assertThat(resumed(server)).isZero();
      talk(server, (OPENSSL + " -sess_in " + session).split(" "));
      assertThat(resumed(server)).isEqualTo(1);
    }
  }

  @Test
  void gnutls_talks_on_a_lean_connection() throws IOException {
    talk("gnutls-cli", "--no-ca-verification", "-p", "PORT", "127.0.0.1");
  }

  @Test
  void python_talks_on_a_lean_connection() throws IOException {
    talk("python3", "-c", PYTHON);
  }

  @Test
  void node_talks_on_a_lean_connection() throws IOException {
    talk("node", "-e", NODE);
  }

  private static void talk(String... command) throws IOException {
    try (var server = lean()) {
      talk(server, command);
    }
  }

  private static void talk(TestServer server, String... command) throws IOException {
    try (var client = new Client(command, server.port())) {
      client.type(NOW);
      client.isAnswered();
      for (var parks = 0; parks < 3; parks++) {
        isLean(server);
        client.type(NOW);
        client.isAnswered();
      }
    }
    Patience.until("it has left", () -> parked(server) == 0);
  }

  private static TestServer lean() {
    return TestServer.serving(
        routes -> routes.get("/now", request -> request.end("now")),
        settings ->
            settings.with(
                new ParkSettings(Kind.LEAN, Duration.ofMillis(100), Duration.ZERO, Duration.ZERO)));
  }

  private static void isLean(TestServer server) {
    Patience.until("it is lean", () -> lean(server) == 1);
  }

  private static double lean(TestServer server) {
    return server.metric("roost_connections_parked_lean");
  }

  private static double parked(TestServer server) {
    return server.metric("roost_connections_parked");
  }

  private static double resumed(TestServer server) {
    return server.metric("roost_tls_handshakes_total{resumed=\"true\",version=\"TLSv1.3\"}");
  }
}
