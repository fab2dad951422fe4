package dev.roost.server;

import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.relay.Relay;
import dev.roost.server.tls.Tickets;
import dev.roost.server.tracing.Tracing;
import dev.roost.server.tracing.TracingSettings;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A Vert.x and what it counts into. Thread-safe.
///
/// @param vertx made for the server
/// @param metrics one registry for the server's own meters and Vert.x's
/// @param tracing where it is switched on
/// @param tickets of its TLS sessions
/// @param relay to the other processes of the server
public record Platform(
    Vertx vertx, ServerMetrics metrics, Optional<Tracing> tracing, Tickets tickets, Relay relay) {

  /// Vert.x's own meters that are worth their cost: pools and event bus. Requests and connections
  /// are counted by the server itself; the SQL meters do not fit the core (see the root pom on the
  /// JDBC client).
  private static final EnumSet<MetricsDomain> DOMAINS =
      EnumSet.of(MetricsDomain.NAMED_POOLS, MetricsDomain.EVENT_BUS);

  /// Vert.x's own check for blocked threads: the server has one that knows the route.
  private static final Duration NEVER = Duration.ofDays(10_000);

  /// Netty's global thread looks once a second whether it has work.
  private static final Duration NETTY_END = Duration.ofSeconds(3);

  /// One for so many instances, on the system's own transport.
  public static Platform create(int instances) {
    // one loop more: it answers probes while the others are busy
    return create(new VertxOptions().setEventLoopPoolSize(instances + 1), systemsTransport());
  }

  /// Vert.x leaves a constant null where the jar is missing.
  private static Transport systemsTransport() {
    return Stream.of(Transport.EPOLL, Transport.KQUEUE)
        .filter(transport -> transport != null && transport.available())
        .findFirst()
        .orElse(Transport.NIO);
  }

  /// @param options event loops and pools; one loop more than there are instances keeps /metrics
  ///   and the probes answering while every instance is busy
  /// @param transport one that is available
  public static Platform create(VertxOptions options, Transport transport) {
    return create(options, transport, TracingSettings.off());
  }

  /// The same with spans that go to a collector.
  public static Platform create(
      VertxOptions options, Transport transport, TracingSettings settings) {
    var metrics = new ServerMetrics();
    var tracing = settings.endpoint().map(endpoint -> Tracing.to(endpoint, metrics));
    var counted = new MicrometerMetricsOptions().setEnabled(true);
    EnumSet.complementOf(DOMAINS).forEach(counted::addDisabledMetricsCategory);
    counted.addDisabledMetricsCategory("sql");
    var builder =
        Vertx.builder()
            .with(
                new VertxOptions(options)
                    .setMetricsOptions(counted)
                    .setBlockedThreadCheckInterval(NEVER.toMillis()))
            .withMetrics(new MicrometerMetricsFactory(metrics.registry()))
            .withTransport(transport);
    tracing.ifPresent(on -> builder.withTracer(on.factory()));
    return new Platform(builder.build(), metrics, tracing, new Tickets(), Relay.local());
  }

  /// The same as one process of several.
  ///
  /// @param tickets that somebody else provides with keys
  public Platform with(Tickets tickets, Relay relay) {
    return new Platform(vertx, metrics, tracing, tickets, relay);
  }

  /// The same, and waits for the one thread that Netty has for the whole process: closing wakes it,
  /// and it ends a second later, unless others in the program use it.
  ///
  /// @return completes when no thread is left that ran for this
  Future<Void> closeWithNetty() {
    var all = Promise.<Void>promise(); // of no event loop: it ends with the last of them
    close()
        .onComplete(
            closed ->
                Thread.ofVirtual()
                    .name("roost-end")
                    .start(
                        () -> {
                          awaitNetty();
                          all.handle(closed);
                        }));
    return all.future();
  }

  /// @return completes when all threads of it but Netty's global one have ended
  public Future<Void> close() {
    return vertx
        .close()
        .eventually(() -> tracing.map(Tracing::close).orElseGet(Future::succeededFuture))
        .onComplete(_ -> metrics.close());
  }

  private static void awaitNetty() {
    try {
      var _ =
          GlobalEventExecutor.INSTANCE.awaitInactivity(NETTY_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IllegalStateException _) {
      // it was not started
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
