package dev.roost.server.tracing;

import java.net.URI;
import java.util.Optional;

/// Key `tracing.endpoint`.
///
/// @param endpoint of an OpenTelemetry collector that takes OTLP over HTTP, `http` or `https`, with
///   its path (`/v1/traces`); empty: no tracing
public record TracingSettings(Optional<URI> endpoint) {
  public TracingSettings {
    endpoint.ifPresent(TracingSettings::check);
  }

  /// No tracing.
  public static TracingSettings off() {
    return new TracingSettings(Optional.empty());
  }

  private static void check(URI endpoint) {
    var scheme = endpoint.getScheme();
    if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "tracing.endpoint: %s is not an http or https address".formatted(endpoint));
    }
  }
}
