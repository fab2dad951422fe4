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
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// What the server counts. Thread-safe. Every label comes from a closed set, so that no client can
/// add series.
public final class ServerMetrics implements AutoCloseable {

  /// Micrometer's names for what Prometheus calls otherwise; `promtool` minds them.
  private static final List<String> BADLY_NAMED = List.of("process.cpu.time", "system.cpu.count");

  private final PrometheusMeterRegistry registry = newRegistry();
  private final Counter continuationsShed;
  private final Counter deferredLate;
  private final Counter bodiesRefused;
  private final Counter connectionsRefused;
  private final Counter eventLoopsBlocked;
  private final Timer eventLoopDelay;
  private final Counter sendTimeouts;
  private final AtomicLong eventStreams;
  private final AtomicLong longPolls;
  private final AtomicLong blockingHandlers;
  private final RequestMetrics requests = new RequestMetrics();
  private final Map<String, Counter> outboxesShed = new ConcurrentHashMap<>();
  private final LabelledGauge webSockets;
  private final LabelledGauge connections;
  private final HandshakeCounters handshakes = new HandshakeCounters(registry);
  private final ParkMetrics park = new ParkMetrics(registry);
  private final TopicMetrics topics = new TopicMetrics(registry);
  private final Counter streamsStalled;
  private final Counter spansDropped;
  private final Counter ticketKeysRotated;
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
    connectionsRefused =
        Counter.builder("roost.connections.refused")
            .description("Connections refused because the process holds as many as it may")
            .register(registry);
    eventLoopsBlocked =
        Counter.builder("roost.event.loop.blocked")
            .description("Times that a handler held its event loop for too long")
            .register(registry);
    sendTimeouts =
        Counter.builder("roost.http.send.timeouts")
            .description("Connections and HTTP/2 streams cut because their client took nothing")
            .register(registry);
    eventLoopDelay =
        Timer.builder("roost.event.loop.delay")
            .description("How much later than planned an event loop turned")
            .serviceLevelObjectives(
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofMillis(25),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(2))
            .register(registry);
    registry.getPrometheusRegistry().register(requests);
    streamsStalled =
        Counter.builder("roost.event.streams.stalled")
            .description("Event streams cut because the client took nothing for two heartbeats")
            .register(registry);
    spansDropped =
        Counter.builder("roost.tracing.spans.dropped")
            .description("Spans that the collector did not take")
            .register(registry);
    ticketKeysRotated =
        Counter.builder("roost.tls.ticket.keys.rotated")
            .description("New session ticket keys, made as one was old")
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

  /// Session tickets are sealed with a new key.
  public void ticketKeysRotated() {
    ticketKeysRotated.increment();
  }

  /// What parking counts.
  public ParkMetrics park() {
    return park;
  }

  /// Everything in Prometheus' text format.
  public String scrape() {
    return registry.scrape();
  }

  /// A meter for the requests of one more event loop.
  public RequestMeter requestMeter() {
    return requests.meter();
  }

  /// A connection was closed for want of a continuation slot.
  public void continuationShed() {
    continuationsShed.increment();
  }

  /// A request was refused because the bodies of others filled what may be held of them.
  public void bodyRefused() {
    bodiesRefused.increment();
  }

  /// @param bytes of request bodies held in memory now
  public void bodiesHeld(Supplier<Number> bytes) {
    Gauge.builder("roost.http.bodies.held", bytes)
        .baseUnit("bytes")
        .description("Bytes of request bodies held in memory")
        .register(registry);
  }

  /// A connection was refused because the process holds as many as it may.
  public void connectionRefused() {
    connectionsRefused.increment();
  }

  /// A handler held its event loop for longer than `reactor.blocked-after`.
  public void eventLoopBlocked() {
    eventLoopsBlocked.increment();
  }

  /// An event loop turned so much later than planned.
  public void eventLoopDelay(long nanos) {
    eventLoopDelay.record(Duration.ofNanos(nanos));
  }

  /// A connection or HTTP/2 stream was cut because its client took nothing for too long.
  public void sendTimedOut() {
    sendTimeouts.increment();
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
  /// @param code of the first close frame, whoever sent it; 1006 if there was none
  public void webSocketClosed(String kind, int code) {
    webSockets.of(kind).decrementAndGet();
    Counter.builder("roost.websockets.closed")
        .description("WebSockets that were closed, by the code of the first close frame")
        .tag("code", code < 3_000 ? Integer.toString(code) : code < 4_000 ? "3xxx" : "4xxx")
        .register(registry)
        .increment();
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

  /// TLS handshakes completed so far.
  public long tlsHandshakes() {
    return handshakes.all();
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

  /// Spans were given up: the collector took none, or not fast enough.
  public void spansDropped(int spans) {
    spansDropped.increment(spans);
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

  private static PrometheusMeterRegistry newRegistry() {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    BADLY_NAMED.forEach(
        name -> registry.config().meterFilter(MeterFilter.denyNameStartsWith(name)));
    return registry;
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
    ProcessFigures.bindTo(registry);
  }
}
