package dev.roost.server.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// OpenSSL's client, which keeps the last session ticket it was given in a file, for whatever
/// server comes next; on a resumed session of TLS 1.2 it takes none. Confined to one thread.
final class OpenSslClient {

  private static final String REQUEST =
      "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

  private final String version;
  private final Path folder;
  private Optional<Path> ticket = Optional.empty();
  private int made;

  /// @param version `-tls1_2` or `-tls1_3`
  /// @param folder where its tickets lie
  OpenSslClient(String version, Path folder) {
    this.version = version;
    this.folder = folder;
  }

  /// Sends one request on a connection of its own, and keeps the ticket that comes.
  ///
  /// @return whether the session was resumed
  boolean resumes(int port) {
    try {
      var next = folder.resolve("ticket%d.pem".formatted(made++));
      var output = run(port, next);
      if (!output.contains("HTTP/1.1 200 OK")) {
        throw new AssertionError(output);
      }
      if (Files.exists(next)) {
        ticket = Optional.of(next);
      }
      return output.contains("\nReused, ");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private String run(int port, Path next) throws IOException {
    var request = folder.resolve("request");
    Files.writeString(request, REQUEST);
    var command = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", version));
    command.addAll(List.of("-connect", "127.0.0.1:" + port, "-sess_out", next.toString()));
    ticket.ifPresent(last -> command.addAll(List.of("-sess_in", last.toString())));
    var process =
        new ProcessBuilder(command)
            .redirectInput(request.toFile())
            .redirectErrorStream(true)
            .start();
    try (var output = process.getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
