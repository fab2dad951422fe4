package dev.roost.gate.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where a run took place, for the record of its figures.
///
/// @param cores processors this JVM may use
/// @param processor the model's name, or `unknown`
/// @param memoryBytes MemTotal of the machine
/// @param kernel name and release
/// @param jdk vendor version and runtime version
public record Machine(int cores, String processor, long memoryBytes, String kernel, String jdk) {
  private static final long BYTES_PER_KB = 1024;

  /// This machine, now.
  public static Machine here() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        field(Path.of("/proc/cpuinfo"), "model name", "unknown"),
        BYTES_PER_KB
            * Long.parseLong(
                field(Path.of("/proc/meminfo"), "MemTotal", "0").replaceAll("[^0-9]", "")),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vendor.version", "")
            + " "
            + System.getProperty("java.runtime.version"));
  }

  /// The value of the first `name: value` line of `file`.
  static String field(Path file, String name, String otherwise) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException unreadable) {
      return otherwise;
    }
  }
}
