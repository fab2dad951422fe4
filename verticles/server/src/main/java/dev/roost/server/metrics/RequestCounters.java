package dev.roost.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// `roost_http_requests_total{method,status}`. Thread-safe; a look-up is one array read.
final class RequestCounters {

  /// A method that is none of these counts as OTHER.
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OTHER");

  private static final int STATUSES = 600;

  private final MeterRegistry registry;
  private final AtomicReferenceArray<Counter> counters =
      new AtomicReferenceArray<>(METHODS.size() * STATUSES);

  RequestCounters(MeterRegistry registry) {
    this.registry = registry;
  }

  /// @param status 100..599; anything else counts as 0
  void count(String method, int status) {
    var known = METHODS.indexOf(method);
    var row = known < 0 ? METHODS.size() - 1 : known;
    var column = status >= 100 && status < STATUSES ? status : 0;
    var index = row * STATUSES + column;
    var counter = counters.get(index);
    if (counter == null) {
      counter = register(METHODS.get(row), column);
      counters.set(index, counter);
    }
    counter.increment();
  }

  private Counter register(String method, int status) {
    return Counter.builder("roost.http.requests")
        .description("Requests answered")
        .tag("method", method)
        .tag("status", Integer.toString(status))
        .register(registry);
  }
}
