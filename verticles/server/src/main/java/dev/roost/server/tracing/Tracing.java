package dev.roost.server.tracing;

import dev.roost.server.metrics.ServerMetrics;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
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
import java.util.concurrent.TimeUnit;

/// Spans of requests, sent to an OpenTelemetry collector over OTLP. Trace context travels as W3C
/// says (`traceparent`, `tracestate`): from a request into what its handlers ask of others through
/// Vert.x. Where there is no such object, OpenTelemetry has no thread and no span. Thread-safe.
public final class Tracing {

  /// Spans that wait to be sent; beyond it new ones are dropped, no request waits.
  private static final int SPANS_MAX = 2_048;

  /// Longest wait for the collector at the end.
  private static final Duration LAST_EXPORT_TIMEOUT = Duration.ofSeconds(1);

  private final Collector collector;
  private final SdkTracerProvider spans;
  private final OpenTelemetrySdk telemetry;

  private Tracing(Collector collector, SdkTracerProvider spans) {
    this.collector = collector;
    this.spans = spans;
    this.telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(spans)
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
  }

  /// @param endpoint where the collector takes spans: `http://localhost:4318/v1/traces`
  /// @param metrics count what it does not take
  public static Tracing to(URI endpoint, ServerMetrics metrics) {
    var collector = new Collector(endpoint, SPANS_MAX, metrics);
    var batches =
        BatchSpanProcessor.builder(collector)
            .setMaxQueueSize(SPANS_MAX)
            .setExporterTimeout(Collector.EXPORT_TIMEOUT)
            .build();
    var resource = Resource.create(Attributes.builder().put("service.name", "roost").build());
    return new Tracing(
        collector,
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(resource))
            .addSpanProcessor(new BoundedSpans(batches, collector))
            .build());
  }

  /// What Vert.x makes its spans with.
  public VertxTracerFactory factory() {
    return new OpenTelemetryTracingFactory(telemetry);
  }

  /// Sends what is left.
  ///
  /// @return completes when it is sent, or given up after a second
  public Future<Void> close() {
    var closed = Promise.<Void>promise();
    Thread.ofVirtual()
        .name("roost-tracing")
        .start(
            () -> {
              end();
              closed.complete();
            });
    return closed.future();
  }

  private void end() {
    var ended = spans.shutdown();
    if (!ended.join(LAST_EXPORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).isDone()) {
      collector.giveUp();
      var _ = ended.join(LAST_EXPORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
