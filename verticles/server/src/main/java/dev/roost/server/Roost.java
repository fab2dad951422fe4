package dev.roost.server;

import dev.roost.server.body.BodyBudget;
import dev.roost.server.body.Uploads;
import dev.roost.server.flow.BlockingVerticle;
import dev.roost.server.health.Health;
import dev.roost.server.health.ManagementVerticle;
import dev.roost.server.http.HttpServerVerticle;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.RouteSource;
import dev.roost.server.http.Shared;
import dev.roost.server.park.Parking;
import dev.roost.server.park.Trim;
import dev.roost.server.reactor.Admission;
import dev.roost.server.reactor.LoopWatch;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.tls.Certificates;
import dev.roost.server.tls.TicketRotation;
import dev.roost.server.topic.Topics;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A running server: so many HTTP server verticles on one port, and the management port.
/// Thread-safe.
public final class Roost {

  /// A worker process has none: its supervisor answers for all.
  private static final Future<String> NO_MANAGEMENT = Future.succeededFuture("");

  private final Platform platform;
  private final Vertx vertx;
  private final ServerSettings settings;
  private final Health health = new Health();
  private final ManagementVerticle management;
  private final BlockingVerticle blocking;
  private final LoopWatch watch;
  private final List<HttpServerVerticle> servers = new CopyOnWriteArrayList<>();
  private final List<String> deployments = new ArrayList<>();
  private volatile Optional<Trim> trim = Optional.empty();
  private volatile Optional<TicketRotation> tickets = Optional.empty();
  private volatile Optional<Uploads> uploads = Optional.empty();
  private volatile Runnable drain = this::close;
  private @Nullable Future<Void> closed;

  /// Whether the platform is this server's alone, and ends with it.
  private final boolean embedded;

  private Roost(Platform platform, ServerSettings settings, boolean embedded) {
    this.platform = platform;
    this.embedded = embedded;
    this.vertx = platform.vertx();
    this.settings = settings;
    this.blocking = new BlockingVerticle(settings.blocking().handlersMax(), platform.metrics());
    this.watch = new LoopWatch(settings.reactor().blockedAfter(), platform.metrics());
    this.management =
        new ManagementVerticle(
            settings.listen().managementHost(),
            settings.listen().managementPort(),
            new Alone(vertx, health, platform.metrics(), () -> drain.run()));
  }

  /// Starts a server in a program of its own, with a Vert.x of its own that [#close()] ends:
  ///
  /// ```java
  /// var roost = Roost.start(routes -> routes.get("/", r -> r.end("hello")), settings).await();
  /// ```
  ///
  /// @return fails with [StartRefusal] where the operator can mend it; then nothing is left either
  public static Future<Roost> start(RouteSet routes, ServerSettings settings) {
    var platform = Platform.create(settings.reactor().instances());
    var started = Promise.<Roost>promise(); // of no event loop: it may end with the last of them
    start(platform, RouteSource.shared(routes), new Roost(platform, settings, true))
        .onSuccess(started::complete)
        .onFailure(failure -> platform.closeWithNetty().onComplete(_ -> started.fail(failure)));
    return started.future();
  }

  /// Starts `settings.reactor().instances()` servers, all or nothing: if one of them or a bind
  /// fails, all are stopped and the ports are free.
  ///
  /// @return fails with [StartRefusal] where the operator can mend it
  public static Future<Roost> start(
      Platform platform, RouteSource source, ServerSettings settings) {
    return start(platform, source, new Roost(platform, settings, false));
  }

  private static Future<Roost> start(Platform platform, RouteSource source, Roost roost) {
    var settings = roost.settings;
    return platform
        .vertx()
        .executeBlocking(
            () -> {
              Certificates.check(settings.tls());
              roost.rotateTickets();
              return Uploads.make();
            })
        .compose(
            uploads ->
                roost.deployAll(source, roost.shared(platform, Objects.requireNonNull(uploads))))
        .map(_ -> roost.ready())
        .recover(failure -> roost.undeployAll().transform(_ -> Future.failedFuture(failure)));
  }

  /// The HTTPS port.
  public int port() {
    return servers.getFirst().port();
  }

  /// The management port. A worker process has none.
  public int managementPort() {
    return management.port();
  }

  /// What POST /drain on the management port does; without this it is [#close()].
  public void onDrain(Runnable action) {
    drain = action;
  }

  /// Not ready at once; after the pre-stop pause no new requests; requests in flight finish within
  /// the drain timeout. Doing so twice is harmless.
  ///
  /// @return completes when every port is free, and, of a server with a Vert.x of its own, no
  ///   thread of it is left
  public synchronized Future<Void> close() {
    if (closed == null) {
      health.enter(Health.Phase.DRAINING);
      var pause = settings.shutdown().preStop();
      var paused = pause.isZero() ? Future.succeededFuture() : vertx.timer(pause.toMillis());
      var undeployed = paused.compose(_ -> undeployAll());
      closed = embedded ? withPlatform(undeployed) : undeployed;
    }
    return closed;
  }

  private Future<Void> withPlatform(Future<Void> undeployed) {
    var all = Promise.<Void>promise(); // of no event loop: it ends with the last of them
    undeployed.onComplete(_ -> platform.closeWithNetty().onComplete(all));
    return all.future();
  }

  /// A worker process gets the keys from its supervisor.
  private void rotateTickets() {
    if (!settings.listen().inherited()) {
      var rotation =
          TicketRotation.start(
              settings.tls().tickets(),
              platform.tickets()::use,
              platform.metrics()::ticketKeysRotated);
      tickets = Optional.of(rotation);
    }
  }

  private Shared shared(Platform platform, Uploads made) {
    uploads = Optional.of(made);
    var metrics = platform.metrics();
    var admission = new Admission(settings.reactor().connectionsMax(), metrics);
    return new Shared(
        new Topics(settings.streams().topics(), metrics.topics(), platform.relay().order()),
        blocking,
        platform.metrics(),
        new BodyBudget(platform.metrics()),
        made,
        admission,
        new Parking(
            settings.park(),
            settings.http().keepAliveTimeout(),
            metrics.park(),
            protocol -> {
              admission.left();
              metrics.connectionClosed(protocol);
            }),
        platform.tickets(),
        platform.relay(),
        watch);
  }

  private Roost ready() {
    var after = settings.park().trimAfter();
    if (!after.isZero()) {
      trim = Optional.of(Trim.after(after, vertx, platform.metrics().park()));
    }
    health.enter(Health.Phase.READY);
    return this;
  }

  /// The servers take one loop each, one after the other; the management port comes next and so, on
  /// a pool with a loop to spare, has one that no application holds up.
  private Future<Void> deployAll(RouteSource source, Shared shared) {
    return deployed(vertx.deployVerticle(blocking))
        .compose(_ -> shared.topics().begin())
        .compose(_ -> deployed(deployServers(source, shared)))
        .compose(_ -> settings.listen().inherited() ? NO_MANAGEMENT : deployManagement())
        .mapEmpty();
  }

  private Future<String> deployManagement() {
    return vertx
        .deployVerticle(management)
        .onSuccess(
            id -> {
              synchronized (deployments) {
                deployments.addLast(id); // probes are answered until the last request is
              }
            })
        .recover(
            failure ->
                Future.failedFuture(
                    StartRefusal.ofBind(
                        "management.port", settings.listen().managementAddress(), failure)));
  }

  private Future<String> deployServers(RouteSource source, Shared shared) {
    return vertx.deployVerticle(
        () -> {
          var server = new HttpServerVerticle(settings, source, shared);
          servers.add(server);
          return server;
        },
        new DeploymentOptions().setInstances(settings.reactor().instances()));
  }

  private Future<String> deployed(Future<String> deployment) {
    return deployment.onSuccess(
        id -> {
          synchronized (deployments) {
            deployments.addFirst(id); // the last one deployed is the first to go
          }
        });
  }

  private Future<Void> undeployAll() {
    List<String> all;
    synchronized (deployments) {
      all = List.copyOf(deployments);
      deployments.clear();
    }
    var done = Future.<Void>succeededFuture();
    for (var id : all) {
      done = done.eventually(() -> vertx.undeploy(id));
    }
    trim.ifPresent(Trim::close);
    tickets.ifPresent(TicketRotation::close);
    return done.eventually(this::deleteUploads).onComplete(_ -> watch.close());
  }

  private Future<Void> deleteUploads() {
    return vertx
        .executeBlocking(
            () -> {
              uploads.ifPresent(Uploads::delete);
              uploads = Optional.empty();
              return uploads;
            })
        .mapEmpty();
  }
}
