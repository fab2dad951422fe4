package dev.roost.server.exposition;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The series of one metric, as one process has them or as several have them together. Confined to
/// one thread.
final class Family {

  /// Of a gauge of which the greatest counts, since it is the same in every process or has no sum.
  private static final Set<String> GREATEST =
      Set.of(
          "process_uptime_seconds",
          "process_files_max_files",
          "system_cpu_usage",
          "system_load_average_1m",
          "roost_tls_certificate_expiry_seconds");

  /// Of a gauge of which the least counts: when the oldest process started.
  private static final Set<String> LEAST = Set.of("process_start_time_seconds");

  /// Endings of names of gauges that are no amounts.
  private static final String INFO = "_info";

  private static final String MAXIMUM = "_max";

  private final String name;
  private final String type;
  private final String help;
  private final Map<String, Double> series = new LinkedHashMap<>();

  /// @param type as Prometheus writes it
  /// @param help as it stands on the page, may be empty
  Family(String name, String type, String help) {
    this.name = name;
    this.type = type;
    this.help = help;
  }

  /// One without series.
  Family empty() {
    return new Family(name, type, help);
  }

  /// @param key name and labels as they stand on the page
  void put(String key, double value) {
    series.put(key, value);
  }

  /// Each series, by its name and labels.
  Map<String, Double> series() {
    return Collections.unmodifiableMap(series);
  }

  /// Whether what it counts stays counted when its process has ended.
  boolean outlivesItsProcess() {
    return switch (type) {
      case "counter", "histogram", "summary" -> true;
      default -> false;
    };
  }

  /// Takes in what another process has.
  void add(Family other) {
    other.series.forEach((key, value) -> series.merge(key, value, this::together));
  }

  void writeTo(StringBuilder page) {
    if (series.isEmpty()) {
      return;
    }
    if (!help.isEmpty()) {
      page.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }
    page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    series.forEach((key, value) -> page.append(key).append(' ').append(text(value)).append('\n'));
  }

  private double together(double one, double other) {
    if (Double.isNaN(one) || Double.isNaN(other)) {
      return Double.isNaN(one) ? other : one;
    }
    if (outlivesItsProcess()) {
      return one + other;
    }
    if (GREATEST.contains(name) || name.endsWith(INFO) || name.endsWith(MAXIMUM)) {
      return Math.max(one, other);
    }
    return LEAST.contains(name) ? Math.min(one, other) : one + other;
  }

  private static String text(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return Double.toString(value);
  }
}
