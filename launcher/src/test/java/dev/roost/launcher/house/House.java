package dev.roost.launcher.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The modules of the tree, as sources and as classes.
final class House {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> VERTICLES =
      List.of("server", "testkit", "polyglot", "board", "gate");

  private House() {}

  /// The classes of every module, without tests.
  static JavaClasses classes() {
    return new ClassFileImporter()
        .importPaths(modules().map(module -> module.resolve("target/classes")).toList());
  }

  /// Every Java source that a person wrote, tests included.
  static List<Path> sources() {
    return modules()
        .flatMap(module -> walk(module.resolve("src")))
        .filter(file -> file.toString().endsWith(".java"))
        .sorted()
        .toList();
  }

  static String name(Path file) {
    return ROOT.relativize(file).toString();
  }

  private static Stream<Path> modules() {
    return Stream.concat(
        VERTICLES.stream().map(name -> ROOT.resolve("verticles").resolve(name)),
        Stream.of(ROOT.resolve("launcher")));
  }

  private static Stream<Path> walk(Path folder) {
    if (Files.notExists(folder)) {
      return Stream.empty();
    }
    try (var files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
