package dev.roost.server;

import dev.roost.server.health.Health;
import dev.roost.server.health.Managed;
import dev.roost.server.health.ReloadRefusal;
import dev.roost.server.metrics.ServerMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;

/// What the management port of a single process tells of.
///
/// @param ending begins an orderly end
record Alone(Vertx vertx, Health health, ServerMetrics counted, Runnable ending)
    implements Managed {

  @Override
  public boolean started() {
    return health.started();
  }

  @Override
  public boolean ready() {
    return health.ready();
  }

  /// Thousands of lines are made off the loop, so that a probe is never behind them.
  @Override
  public Future<String> metrics() {
    return vertx.executeBlocking(counted::scrape, false).map(Objects::requireNonNull);
  }

  @Override
  public void drain() {
    ending.run();
  }

  @Override
  public Future<String> reload() {
    return Future.failedFuture(
        new ReloadRefusal("processes is 1: there is no other process to serve meanwhile"));
  }
}
