package dev.roost.launcher.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The folder Roost runs from: the one with `conf/`, `scripts/` and `webroot/`.
public record Home(Path folder) {
  /// Set by `scripts/vertx`.
  private static final String PROPERTY = "roost.home";

  /// The folder the script named, else the working directory.
  public static Home find() {
    return new Home(Path.of(System.getProperty(PROPERTY, "")));
  }

  /// The settings file that is read where none is named, if it exists.
  public Optional<Path> settingsFile() {
    return Optional.of(folder.resolve("conf/roost.yaml")).filter(Files::exists);
  }

  /// Where the profiles lie.
  public Path profiles() {
    return folder.resolve("conf/profiles");
  }

  /// Where the sample scripts lie.
  public Path samples() {
    return folder.resolve("verticles/polyglot/samples");
  }
}
