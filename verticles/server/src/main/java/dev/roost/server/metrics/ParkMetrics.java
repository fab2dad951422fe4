package dev.roost.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;

/// What parking counts. Thread-safe.
public final class ParkMetrics {

  private final MeterRegistry registry;
  private final Counter parks;
  private final Counter wakes;
  private final Counter wakesDelayed;
  private final Counter acceptsDelayed;
  private final Counter trims;
  private final Counter trimmedBytes;
  private final Map<Reason, Counter> ends = new EnumMap<>(Reason.class);
  private final Map<NotLean, Counter> notLean = new EnumMap<>(NotLean.class);

  /// Why a connection ended while it was parked.
  public enum Reason {
    /// its peer closed it, or is gone
    PEER,
    /// it was idle for `http.keep-alive-timeout`
    IDLE,
    /// the server stops
    SHUTDOWN,
    /// the kernel could not keep it
    FAILED
  }

  /// Why a parked connection keeps BoringSSL's state, though `tls.park` is `lean`.
  public enum NotLean {
    /// TLS 1.2
    VERSION,
    /// a cipher suite that our record layer does not have
    SUITE,
    /// it has shown a certificate, which an application may want to see
    CLIENT_CERTIFICATE,
    /// something of it is half said
    BUSY,
    /// our record layer does not agree with BoringSSL; the log has more
    FAILED
  }

  ParkMetrics(MeterRegistry registry) {
    this.registry = registry;
    parks = counter("roost.connections.parks", "Times that a connection was parked");
    wakes = counter("roost.connections.wakes", "Times that a parked connection was woken");
    wakesDelayed =
        counter(
            "roost.connections.wakes.delayed",
            "Times that waking stopped because the heap had no room for more awake connections");
    acceptsDelayed =
        counter(
            "roost.connections.accepts.delayed",
            "Times that accepting stopped because the heap had no room for more connections");
    trims = counter("roost.memory.trims", "Times that memory was given back");
    trimmedBytes =
        counter("roost.memory.trimmed.bytes", "Resident bytes that were given back in all");
    for (var reason : Reason.values()) {
      ends.put(
          reason,
          Counter.builder("roost.connections.parked.ended")
              .description("Connections that ended while they were parked")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    for (var reason : NotLean.values()) {
      notLean.put(
          reason,
          Counter.builder("roost.connections.not.lean")
              .description("Times that a parked connection kept the state of BoringSSL")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  /// Shows how many are parked.
  public void count(IntSupplier parked) {
    Gauge.builder("roost.connections.parked", parked, IntSupplier::getAsInt)
        .description("Connections that are parked, which are open too")
        .strongReference(true)
        .register(registry);
  }

  /// Shows how many are parked without BoringSSL's state.
  public void countLean(IntSupplier lean) {
    Gauge.builder("roost.connections.parked.lean", lean, IntSupplier::getAsInt)
        .description("Connections that are parked without the state of BoringSSL")
        .strongReference(true)
        .register(registry);
  }

  public void parked() {
    parks.increment();
  }

  public void woken() {
    wakes.increment();
  }

  public void wakesDelayed() {
    wakesDelayed.increment();
  }

  public void acceptsDelayed() {
    acceptsDelayed.increment();
  }

  public void ended(Reason reason) {
    var counter = ends.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  public void notLean(NotLean reason) {
    var counter = notLean.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  /// Memory was given back.
  ///
  /// @param bytes resident before, less those after; 0 or more
  public void trimmed(long bytes) {
    trims.increment();
    trimmedBytes.increment((double) bytes);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }
}
