package dev.roost.launcher.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A container as the kubelet would start it: the image's files and command, the manifest's
/// arguments and environment. Ports and the data directory are the test's own.
record Pod(Process process, Path errors) implements AutoCloseable {

  private static final Pattern LINE =
      Pattern.compile("https://[^ ]+:(?<https>\\d+) .*http://[^ ]+:(?<management>\\d+) ");

  /// Where the started server said it listens.
  record Ports(int https, int management) {

    /// By the name of the container's port.
    int of(String name) {
      return name.equals("https") ? https : management;
    }
  }

  /// @param variables added to the manifest's, which they overrule
  static Pod start(ImageTree image, Manifest manifest, Map<String, String> variables)
      throws IOException {
    var errors = Files.createTempFile(image.folder().getParent(), "stderr", "");
    var command = new ArrayList<>(List.of(image.entryPoint().toString()));
    manifest.container().at("args").items().forEach(argument -> command.add(argument.text()));
    var builder = new ProcessBuilder(command).directory(image.folder().toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ROOST_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(manifest.environment());
    builder.environment().putAll(variables);
    return new Pod(builder.redirectError(errors.toFile()).start(), errors);
  }

  /// Free ports and a folder of its own, where the manifest has fixed ones.
  static Map<String, String> place(Path dataFolder) {
    return Map.of(
        "ROOST_SERVER_PORT", "0",
        "ROOST_MANAGEMENT_PORT", "0",
        "ROOST_DATA_DIR", dataFolder.toString());
  }

  /// Waits for the line that says that it runs.
  Ports ports() throws IOException {
    var line = process.inputReader(StandardCharsets.UTF_8).readLine();
    var found = LINE.matcher(String.valueOf(line));
    assertThat(found.find()).as("start line: %s %s", line, errorLines()).isTrue();
    return new Ports(
        Integer.parseInt(found.group("https")), Integer.parseInt(found.group("management")));
  }

  /// What the kubelet does first.
  void sendTerm() {
    process.destroy();
  }

  /// Waits, as long as the kubelet would.
  int exitCode(Manifest manifest) throws InterruptedException {
    int grace = manifest.pod().at("terminationGracePeriodSeconds").number();
    assertThat(process.waitFor(grace, TimeUnit.SECONDS)).as("ends within the grace").isTrue();
    return process.exitValue();
  }

  List<String> errorLines() throws IOException {
    return Files.readAllLines(errors);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
