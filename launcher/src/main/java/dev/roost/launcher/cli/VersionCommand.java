package dev.roost.launcher.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `vertx version`: ours, Vert.x's, and the JVM's.
@Command(name = "version", description = "Prints the versions of Roost, Vert.x and the JVM.")
final class VersionCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    var versions = versions();
    System.out.printf(
        "Roost %s, Vert.x %s, %s %s%n",
        versions.getProperty("roost"),
        versions.getProperty("vertx"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"));
    return ExitCode.OK.number();
  }

  /// Written by the build from the root pom.
  private static Properties versions() {
    var versions = new Properties();
    try (var file = VersionCommand.class.getResourceAsStream("versions.properties")) {
      versions.load(file);
      return versions;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
