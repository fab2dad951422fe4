package dev.roost.server.tracing;

import dev.roost.server.metrics.ServerMetrics;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The collector that takes the spans, and those on their way to it: a bounded number, sent one
/// batch at a time. What it does not take is dropped and counted, and told in one line a minute.
/// Thread-safe.
final class Collector implements SpanExporter {

  /// Longest wait for the collector, for one batch.
  static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = System.getLogger(Collector.class.getName());

  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

  /// It would tell each failure with a stack trace; held here, since the JDK forgets it otherwise.
  private static final java.util.logging.Logger OTLP =
      java.util.logging.Logger.getLogger("io.opentelemetry.exporter.otlp.internal.HttpExporter");

  private final String address;
  private final ServerMetrics metrics;
  private final int spansMax;
  private final ExecutorService senders =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("roost-tracing").factory());
  private final SpanExporter otlp;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger untold = new AtomicInteger();
  private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());
  private volatile CompletableResultCode sending = CompletableResultCode.ofSuccess();
  private volatile boolean givenUp;

  /// @param endpoint where it takes spans
  /// @param spansMax spans that may wait to be sent or be on their way
  Collector(URI endpoint, int spansMax, ServerMetrics metrics) {
    OTLP.setLevel(java.util.logging.Level.OFF);
    this.address = endpoint.getScheme() + "://" + endpoint.getHost() + port(endpoint);
    this.spansMax = spansMax;
    this.metrics = metrics;
    this.otlp =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.toString())
            .setTimeout(EXPORT_TIMEOUT)
            .setExecutorService(senders)
            .build();
  }

  /// Takes room for one span.
  ///
  /// @return false if there is none: it is dropped
  boolean enter() {
    if (waiting.get() >= spansMax) {
      dropped(1, "too many wait");
      return false;
    }
    waiting.incrementAndGet();
    return true;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    var count = spans.size();
    var result = new CompletableResultCode();
    result.whenComplete(
        () -> {
          waiting.addAndGet(-count);
          if (!result.isSuccess()) {
            dropped(count, reason(result));
          }
        });
    sending = result;
    if (givenUp) {
      return result.fail();
    }
    var sent = otlp.export(spans);
    sent.whenComplete(() -> complete(result, sent));
    return result;
  }

  /// The server ends: what is on its way is given up, and so is what still comes.
  void giveUp() {
    givenUp = true;
    sending.fail();
    senders.shutdownNow();
  }

  @Override
  public CompletableResultCode flush() {
    return otlp.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    senders.shutdown();
    return otlp.shutdown();
  }

  private void dropped(int spans, String why) {
    metrics.spansDropped(spans);
    untold.addAndGet(spans);
    var now = System.nanoTime();
    var next = nextWarning.get();
    if (now - next >= 0 && nextWarning.compareAndSet(next, now + BETWEEN_WARNINGS.toNanos())) {
      LOG.log(
          Level.WARNING,
          "tracing.endpoint: {0} did not take {1} spans: {2}",
          address,
          untold.getAndSet(0),
          why);
    }
  }

  private static void complete(CompletableResultCode result, CompletableResultCode sent) {
    if (sent.isSuccess()) {
      result.succeed();
    } else {
      result.failExceptionally(
          Optional.ofNullable(sent.getFailureThrowable())
              .orElseGet(() -> new IllegalStateException("it is closed")));
    }
  }

  private static String reason(CompletableResultCode result) {
    var failure = result.getFailureThrowable();
    if (failure == null) {
      return "the server stops";
    }
    if (failure.getCause() == null) {
      return "it refused them";
    }
    while (failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure.toString();
  }

  private static String port(URI endpoint) {
    return endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
  }
}
