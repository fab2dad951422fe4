package dev.roost.server.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.net.URI;
import java.time.Duration;

/// Spans of requests, sent to an OpenTelemetry collector over OTLP. Trace context travels as W3C
/// says (`traceparent`, `tracestate`): from a request into what its handlers ask of others through
/// Vert.x. Where there is no such object, OpenTelemetry has no thread and no span. Thread-safe.
public final class Tracing {

  /// Spans that wait to be sent; beyond it new ones are dropped, no request waits.
  private static final int SPANS_MAX = 2_048;

  /// Longest wait for the collector, for a batch and for the last one at the end.
  private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);

  private final SdkTracerProvider spans;
  private final OpenTelemetrySdk telemetry;

  private Tracing(SdkTracerProvider spans) {
    this.spans = spans;
    this.telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(spans)
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
  }

  /// @param endpoint where the collector takes spans: `http://localhost:4318/v1/traces`
  public static Tracing to(URI endpoint) {
    var exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.toString())
            .setTimeout(EXPORT_TIMEOUT)
            .build();
    var batches =
        BatchSpanProcessor.builder(exporter)
            .setMaxQueueSize(SPANS_MAX)
            .setExporterTimeout(EXPORT_TIMEOUT)
            .build();
    var resource = Resource.create(Attributes.builder().put("service.name", "roost").build());
    return new Tracing(
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(resource))
            .addSpanProcessor(batches)
            .build());
  }

  /// What Vert.x makes its spans with.
  public VertxTracerFactory factory() {
    return new OpenTelemetryTracingFactory(telemetry);
  }

  /// Sends what is left.
  ///
  /// @return completes when it is sent, or given up: what cannot be sent holds up no stop
  public Future<Void> close() {
    var closed = Promise.<Void>promise();
    spans.shutdown().whenComplete(closed::complete);
    return closed.future();
  }
}
