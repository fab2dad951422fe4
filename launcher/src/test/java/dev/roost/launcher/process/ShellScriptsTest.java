package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The shell scripts of the tree, as shellcheck sees them. Skipped where that is missing.
class ShellScriptsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void shellcheck_finds_nothing_in_them() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/shellcheck")), "shellcheck is missing");
    var command = new ArrayList<>(List.of("shellcheck", "-x"));
    scripts().forEach(script -> command.add(script.toString()));
    var process =
        new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
    assertThat(process.inputReader().lines()).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void each_of_them_begins_with_what_it_does() throws IOException {
    for (var script : scripts()) {
      var lines = Files.readAllLines(script);
      assertThat(lines.getFirst().startsWith("#!") ? lines.get(1) : lines.getFirst())
          .as("what %s does", script)
          .startsWith("# ");
    }
  }

  private static List<Path> scripts() throws IOException {
    try (var files = Files.list(ROOT.resolve("scripts"))) {
      return Stream.concat(files.filter(Files::isRegularFile), Stream.of(ROOT.resolve(".ci/run")))
          .sorted()
          .toList();
    }
  }
}
