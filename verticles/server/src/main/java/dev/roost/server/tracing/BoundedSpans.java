package dev.roost.server.tracing;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/// Lets as many spans wait as the collector has room for. Thread-safe.
///
/// @param batches what sends them
/// @param collector where they go
record BoundedSpans(SpanProcessor batches, Collector collector) implements SpanProcessor {

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (span.getSpanContext().isSampled() && collector.enter()) {
      batches.onEnd(span);
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode shutdown() {
    return batches.shutdown();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return batches.forceFlush();
  }
}
