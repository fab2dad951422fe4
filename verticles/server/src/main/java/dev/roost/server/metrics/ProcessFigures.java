package dev.roost.server.metrics;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// `process_resident_memory_bytes`, read from the kernel where it tells, and
/// `process_cpu_seconds_total`: the names that Prometheus' own clients use.
public final class ProcessFigures {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessFigures() {}

  static void bindTo(MeterRegistry registry) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, ProcessFigures::cpuSeconds)
          .description("Processor time of this process")
          .baseUnit("seconds")
          .register(registry);
    }
    if (Files.isReadable(STATUS)) {
      Gauge.builder("process.resident.memory", ProcessFigures::residentBytes)
          .description("Resident memory of this process")
          .baseUnit("bytes")
          .register(registry);
    }
  }

  /// The line reads `VmRSS: 12345 kB` (proc(5)).
  ///
  /// @return NaN where the kernel does not tell
  public static double residentBytes() {
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

  private static double cpuSeconds(OperatingSystemMXBean system) {
    return system.getProcessCpuTime() / NANOS_PER_SECOND;
  }
}
