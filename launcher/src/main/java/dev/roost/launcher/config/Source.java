package dev.roost.launcher.config;

import java.nio.file.Path;

/// Where a value came from, in words a person can follow: a line of a file, a variable, an option.
public record Source(String place) {
  static final Source BUILT_IN = new Source("built in");

  static Source line(Path file, int line) {
    return new Source(file + ":" + line);
  }

  static Source variable(String name) {
    return new Source("variable " + name);
  }

  /// An option of the command line, as it was typed.
  public static Source option(String name) {
    return new Source("option " + name);
  }

  @Override
  public String toString() {
    return place;
  }
}
