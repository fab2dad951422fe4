package dev.roost.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// How many there are of each kind; a kind appears with its first one. Thread-safe.
///
/// @param registry where the series go
/// @param name dotted name of the gauge
/// @param description what Prometheus says of it
/// @param label its one label; its values must come from a closed set
/// @param values one number for each value of the label
record LabelledGauge(
    MeterRegistry registry,
    String name,
    String description,
    String label,
    Map<String, AtomicLong> values) {

  LabelledGauge(MeterRegistry registry, String name, String description, String label) {
    this(registry, name, description, label, new ConcurrentHashMap<>());
  }

  AtomicLong of(String value) {
    return values.computeIfAbsent(
        value,
        _ -> {
          var number = new AtomicLong();
          Gauge.builder(name, number, AtomicLong::get)
              .description(description)
              .tag(label, value)
              .register(registry);
          return number;
        });
  }
}
