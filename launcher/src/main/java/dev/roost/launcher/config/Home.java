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

  /// The command itself, which finds the JVM and its options.
  public Path script() {
    return folder.resolve("scripts/vertx");
  }

  /// Where the profiles lie.
  public Path profiles() {
    return folder.resolve("conf/profiles");
  }

  /// Where the sample scripts lie.
  public Path samples() {
    return folder.resolve("verticles/polyglot/samples");
  }

  /// The folder with the board's style sheet and images.
  public Path webroot() {
    return folder.resolve("webroot");
  }

  /// What a key that says `shipped` means.
  ///
  /// @param path below this folder
  /// @return empty for `none`
  public Optional<Path> shipped(String value, String path) {
    return switch (value) {
      case Kind.SHIPPED -> Optional.of(folder.resolve(path));
      case "none" -> Optional.empty();
      default -> Optional.of(Path.of(value));
    };
  }
}
