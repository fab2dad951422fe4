package dev.roost.polyglot.javascript;

import dev.roost.polyglot.Scripts;
import dev.roost.server.http.RouteSource;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.function.UnaryOperator;

/// Scripts of a few lines, served from a file as an application's are.
///
/// @param file its name; each test class has one of its own, by which it knows its log lines
record Served(String file) {

  /// Serves a module whose exported function has these `lines`; the first is line 2.
  TestServer routes(String lines) {
    return module("export function routes(r) {\n%s}\n".formatted(lines));
  }

  /// Serves this module.
  TestServer module(String text) {
    return TestServer.servingEach(source(text), UnaryOperator.identity());
  }

  /// The routes of this module.
  RouteSource source(String text) {
    try {
      var folder = Files.createTempDirectory("roost-script");
      folder.toFile().deleteOnExit();
      var script = folder.resolve(file);
      script.toFile().deleteOnExit();
      return Scripts.source(Files.writeString(script, text));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// What the script says on its console.
  Logged console() {
    return new Logged(file, _ -> true);
  }

  /// What `logger` says of this script.
  Logged by(Class<?> logger) {
    return by(logger.getName());
  }

  /// What `logger` says of this script.
  Logged by(String logger) {
    return new Logged(
        logger, record -> (record.getMessage() + " " + record.getThrown()).contains(file + ":"));
  }
}
