package dev.roost.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// `process_resident_memory_bytes`, read from the kernel where it tells.
final class ProcessMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessMemory() {}

  static void bindTo(MeterRegistry registry) {
    if (Files.isReadable(STATUS)) {
      Gauge.builder("process.resident.memory", ProcessMemory::residentBytes)
          .description("Resident memory of this process")
          .baseUnit("bytes")
          .register(registry);
    }
  }

  /// The line reads `VmRSS: 12345 kB` (proc(5)).
  private static double residentBytes() {
    try (var lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException _) {
      return Double.NaN;
    }
  }
}
