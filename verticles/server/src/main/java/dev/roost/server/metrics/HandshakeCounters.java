package dev.roost.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `roost_tls_handshakes_total{version,resumed}`. Thread-safe.
final class HandshakeCounters {

  /// What the server agrees to.
  private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");

  private record Kind(String version, boolean resumed) {}

  private final Map<Kind, Counter> counters;

  HandshakeCounters(MeterRegistry registry) {
    var all = new HashMap<Kind, Counter>();
    for (var version : VERSIONS) {
      for (var resumed : new boolean[] {false, true}) {
        all.put(new Kind(version, resumed), counter(registry, version, resumed));
      }
    }
    counters = Map.copyOf(all);
  }

  /// Another version, which none of ours is, is not counted.
  void count(String version, boolean resumed) {
    var counter = counters.get(new Kind(version, resumed));
    if (counter != null) {
      counter.increment();
    }
  }

  long all() {
    return (long) counters.values().stream().mapToDouble(Counter::count).sum();
  }

  private static Counter counter(MeterRegistry registry, String version, boolean resumed) {
    return Counter.builder("roost.tls.handshakes")
        .description("TLS handshakes completed")
        .tag("version", version)
        .tag("resumed", Boolean.toString(resumed))
        .register(registry);
  }
}
