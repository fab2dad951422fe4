package dev.roost.polyglot.javascript;

import dev.roost.polyglot.Scripts;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Scripts of a few lines, served from a file as an application's are.
final class Served {

  private Served() {}

  /// Serves `app.js`, whose exported function has these `lines`.
  static TestServer routes(String lines) {
    return module("export function routes(r) {\n%s}\n".formatted(lines));
  }

  /// Serves `app.js` with this text.
  static TestServer module(String text) {
    return module(text, UnaryOperator.identity());
  }

  /// Serves `app.js` with this text.
  static TestServer module(String text, UnaryOperator<ServerSettings> change) {
    return TestServer.servingEach(Scripts.source(file("app.js", text)), change);
  }

  /// A new file, gone with the JVM.
  static Path file(String name, String text) {
    try {
      var folder = Files.createTempDirectory("roost-script");
      folder.toFile().deleteOnExit();
      var file = folder.resolve(name);
      file.toFile().deleteOnExit();
      return Files.writeString(file, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// The lines of an event stream as they come; closing them leaves it.
  static Stream<String> lines(TestServer server, HttpRequest.Builder request) {
    return server
        .client()
        .sendAsync(request.timeout(TestServer.PATIENCE).build(), BodyHandlers.ofLines())
        .join()
        .body();
  }
}
