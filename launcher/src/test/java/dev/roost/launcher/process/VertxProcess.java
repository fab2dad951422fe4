package dev.roost.launcher.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `scripts/vertx` as a person would start it, in a folder of its own. Killed when closed.
final class VertxProcess implements AutoCloseable {
  /// Generous: the machine may be busy with other builds.
  private static final long TIMEOUT_SECONDS = 120;

  private static final Path SCRIPT = Path.of("../scripts/vertx").toAbsolutePath().normalize();
  private static final Pattern LINE =
      Pattern.compile(
          ".+ at https://\\S+:(\\d+) · metrics at http://\\S+:(\\d+) · \\w+(?: · \\d+ processes)?"
              + " · \\d+ instances?"
              + " · ready in \\d+ ms");

  private final Process process;
  private final BufferedReader output;
  private final Path errors;

  private VertxProcess(Process process, Path errors) {
    this.process = process;
    this.output = process.inputReader();
    this.errors = errors;
  }

  /// Starts it in `folder`.
  static VertxProcess start(Path folder, String... arguments) throws IOException {
    return start(folder, Map.of(), arguments);
  }

  static VertxProcess start(Path folder, Map<String, String> variables, String... arguments)
      throws IOException {
    var command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(List.of(arguments));
    var errors = Files.createTempFile(folder, "errors", ".txt");
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ROOST_"));
    builder.environment().putAll(variables);
    return new VertxProcess(builder.redirectError(errors.toFile()).start(), errors);
  }

  /// A verticle on two free loopback ports, its data in `folder`.
  static VertxProcess serving(String verticle, Path folder, String... more) throws IOException {
    return serving(verticle, folder, Map.of(), more);
  }

  /// The same of a class of the tests.
  static VertxProcess servingClass(Class<?> verticle, Path folder, String... more)
      throws IOException {
    var classes = Path.of("target/test-classes").toAbsolutePath().toString();
    return serving(verticle.getName(), folder, Map.of("CLASSPATH", classes), more);
  }

  /// The same with more environment variables.
  static VertxProcess serving(
      String verticle, Path folder, Map<String, String> variables, String... more)
      throws IOException {
    var arguments = new ArrayList<>(List.of("run", verticle));
    for (var setting :
        List.of("server.host=127.0.0.1", "server.port=0", "management.port=0", "instances=2")) {
      arguments.addAll(List.of("--set", setting));
    }
    arguments.addAll(List.of(more));
    return start(folder, variables, arguments.toArray(String[]::new));
  }

  /// Waits for the one line that says that it serves.
  Matcher ready() {
    try {
      var line = output.readLine();
      var match = LINE.matcher(String.valueOf(line));
      if (!match.matches()) {
        throw new AssertionError("no start line: " + line + "\n" + errors());
      }
      return match;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  int readyOnPort() {
    return Integer.parseInt(ready().group(1));
  }

  /// Sends a signal by its name, such as `TERM`.
  VertxProcess signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    return this;
  }

  /// Stops it from running at all, for so long.
  VertxProcess suspend(Duration time) throws IOException, InterruptedException {
    signal("STOP");
    if (process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("it has ended: " + errors());
    }
    return signal("CONT");
  }

  /// Waits until it has logged `text`.
  VertxProcess logged(String text) throws IOException {
    while (process.isAlive() && !errors().contains(text)) {
      Thread.onSpinWait();
    }
    return this;
  }

  /// Waits for its end.
  int exitCode() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + TIMEOUT_SECONDS + " s");
    }
    return process.exitValue();
  }

  /// What is left on stdout after what was read.
  List<String> outputLines() {
    return output.lines().toList();
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  /// One of its workers.
  ProcessHandle child(long pid) {
    return ProcessHandle.of(pid).orElseThrow();
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
