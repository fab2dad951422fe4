package dev.roost.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// What the server counts. Thread-safe. Every label comes from a closed set, so that no client can
/// add series.
public final class ServerMetrics implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Counter continuationsShed;
  private final Counter deferredLate;
  private final Counter bodiesRefused;
  private final Timer requestDuration;
  private final AtomicLong requestsInFlight;
  private final AtomicLong eventStreams;
  private final AtomicLong longPolls;
  private final AtomicLong blockingHandlers;
  private final RequestCounters requests = new RequestCounters(registry);
  private final Map<String, Counter> outboxesShed = new ConcurrentHashMap<>();
  private final LabelledGauge webSockets;
  private final LabelledGauge connections;
  private final HandshakeCounters handshakes = new HandshakeCounters(registry);
  private final TopicMetrics topics = new TopicMetrics(registry);
  private final Counter streamsStalled;
  private final JvmGcMetrics collections = new JvmGcMetrics();

  public ServerMetrics() {
    continuationsShed =
        Counter.builder("roost.http.continuation.shed")
            .description("Connections closed because their loop had no continuation slot left")
            .register(registry);
    deferredLate =
        Counter.builder("roost.deferred.late")
            .description("Answers that came after a deferred response was already completed")
            .register(registry);
    bodiesRefused =
        Counter.builder("roost.http.bodies.refused")
            .description("Requests refused because the bodies held in memory reached their bound")
            .register(registry);
    requestDuration =
        Timer.builder("roost.http.request.duration")
            .description("From the request's head to the end of its answer")
            .serviceLevelObjectives(
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofMillis(25),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10))
            .register(registry);
    requestsInFlight = gauge("roost.http.requests.in.flight", "Requests not yet answered");
    streamsStalled =
        Counter.builder("roost.event.streams.stalled")
            .description("Event streams cut because the client took nothing for two heartbeats")
            .register(registry);
    eventStreams = gauge("roost.event.streams.open", "Open event streams");
    longPolls = gauge("roost.long.polls.waiting", "Long polls waiting for news");
    blockingHandlers = gauge("roost.blocking.handlers.active", "Blocking handlers running");
    webSockets = new LabelledGauge(registry, "roost.websockets.open", "Open WebSockets", "kind");
    connections =
        new LabelledGauge(registry, "roost.connections.open", "Open connections", "protocol");
    for (var kind : new String[] {"ws", "sse"}) {
      outboxesShed.put(
          kind,
          Counter.builder("roost.outbox.shed")
              .description("Clients dropped because their outbox was full")
              .tag("kind", kind)
              .register(registry));
    }
    bindProcess();
  }

  /// The registry itself, for Vert.x's own metrics.
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /// What the topics count.
  public TopicMetrics topics() {
    return topics;
  }

  /// Everything in Prometheus' text format.
  public String scrape() {
    return registry.scrape();
  }

  /// A request's head has arrived.
  public void requestStarted() {
    requestsInFlight.incrementAndGet();
  }

  /// A request was answered, or its client left.
  ///
  /// @param nanos since its head arrived
  public void requestEnded(String method, int status, long nanos) {
    requestsInFlight.decrementAndGet();
    requests.count(method, status);
    requestDuration.record(Duration.ofNanos(nanos));
  }

  /// A connection was closed for want of a continuation slot.
  public void continuationShed() {
    continuationsShed.increment();
  }

  /// A request was refused because the bodies of others filled what may be held of them.
  public void bodyRefused() {
    bodiesRefused.increment();
  }

  /// A deferred response was completed twice; the second time did nothing.
  public void deferredLate() {
    deferredLate.increment();
  }

  /// A client was dropped because it did not take what it was sent.
  ///
  /// @param kind `ws` or `sse`
  public void outboxShed(String kind) {
    var counter = outboxesShed.get(kind);
    if (counter == null) {
      throw new IllegalArgumentException("kind: %s is not one of ws, sse".formatted(kind));
    }
    counter.increment();
  }

  /// @param kind `async` or `blocking`
  public void webSocketOpened(String kind) {
    webSockets.of(kind).incrementAndGet();
  }

  /// @param kind as it was opened
  public void webSocketClosed(String kind) {
    webSockets.of(kind).decrementAndGet();
  }

  /// @param protocol `http1`, `http2` or `websocket`
  public void connectionOpened(String protocol) {
    connections.of(protocol).incrementAndGet();
  }

  /// A TLS handshake was completed.
  ///
  /// @param version `TLSv1.2` or `TLSv1.3`
  public void tlsHandshake(String version, boolean resumed) {
    handshakes.count(version, resumed);
  }

  /// @param protocol as it was opened
  public void connectionClosed(String protocol) {
    connections.of(protocol).decrementAndGet();
  }

  public void eventStreamOpened() {
    eventStreams.incrementAndGet();
  }

  public void eventStreamClosed() {
    eventStreams.decrementAndGet();
  }

  /// A stream was cut whose client took nothing for two heartbeats.
  public void eventStreamStalled() {
    streamsStalled.increment();
  }

  public void longPollStarted() {
    longPolls.incrementAndGet();
  }

  public void longPollEnded() {
    longPolls.decrementAndGet();
  }

  public void blockingHandlerStarted() {
    blockingHandlers.incrementAndGet();
  }

  public void blockingHandlerEnded() {
    blockingHandlers.decrementAndGet();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }

  private AtomicLong gauge(String name, String description) {
    var value = new AtomicLong();
    Gauge.builder(name, value, AtomicLong::get).description(description).register(registry);
    return value;
  }

  private void bindProcess() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    collections.bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    ProcessMemory.bindTo(registry);
  }
}
