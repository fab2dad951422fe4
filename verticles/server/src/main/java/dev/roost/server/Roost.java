package dev.roost.server;

import dev.roost.server.body.Uploads;
import dev.roost.server.health.Health;
import dev.roost.server.health.ManagementVerticle;
import dev.roost.server.http.BodyBudget;
import dev.roost.server.http.HttpServerVerticle;
import dev.roost.server.http.RouteSource;
import dev.roost.server.http.Shared;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.tls.Certificates;
import dev.roost.server.topic.Topics;
import dev.roost.server.websocket.BlockingVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A running server: so many HTTP server verticles on one port, and the management port.
/// Thread-safe.
public final class Roost {

  private final Vertx vertx;
  private final ServerSettings settings;
  private final Health health = new Health();
  private final ManagementVerticle management;
  private final BlockingVerticle blocking;
  private final List<HttpServerVerticle> servers = new CopyOnWriteArrayList<>();
  private final List<String> deployments = new ArrayList<>();
  private volatile Optional<Uploads> uploads = Optional.empty();

  private Roost(Platform platform, ServerSettings settings) {
    this.vertx = platform.vertx();
    this.settings = settings;
    this.blocking = new BlockingVerticle(settings.blocking().handlersMax(), platform.metrics());
    this.management =
        new ManagementVerticle(
            settings.listen().managementHost(),
            settings.listen().managementPort(),
            health,
            platform.metrics());
  }

  /// Starts `settings.reactor().instances()` servers, all or nothing: if one of them or a bind
  /// fails, all are stopped and the ports are free.
  ///
  /// @return fails with [StartRefusal] where the operator can mend it
  public static Future<Roost> start(
      Platform platform, RouteSource source, ServerSettings settings) {
    var roost = new Roost(platform, settings);
    return platform
        .vertx()
        .executeBlocking(
            () -> {
              Certificates.check(settings.tls());
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

  /// The management port.
  public int managementPort() {
    return management.port();
  }

  /// Not ready at once; after the pre-stop pause no new requests; requests in flight finish within
  /// the drain timeout. Doing so twice is harmless.
  ///
  /// @return completes when every port is free
  public Future<Void> close() {
    health.enter(Health.Phase.DRAINING);
    var pause = settings.shutdown().preStop();
    var paused = pause.isZero() ? Future.succeededFuture() : vertx.timer(pause.toMillis());
    return paused.compose(_ -> undeployAll());
  }

  private Shared shared(Platform platform, Uploads made) {
    uploads = Optional.of(made);
    return new Shared(
        new Topics(settings.streams().historyMessagesMax()),
        blocking,
        platform.metrics(),
        new BodyBudget(platform.metrics()),
        made);
  }

  private Roost ready() {
    health.enter(Health.Phase.READY);
    return this;
  }

  /// The servers take one loop each, one after the other; the management port comes next and so, on
  /// a pool with a loop to spare, has one that no application holds up.
  private Future<Void> deployAll(RouteSource source, Shared shared) {
    return deployed(vertx.deployVerticle(blocking))
        .compose(_ -> deployed(deployServers(source, shared)))
        .compose(_ -> deployManagement())
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
    return done.eventually(this::deleteUploads);
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
