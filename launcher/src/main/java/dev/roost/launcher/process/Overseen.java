package dev.roost.launcher.process;

import dev.roost.launcher.shutdown.Stop;
import dev.roost.server.health.Health;
import dev.roost.server.health.Managed;
import io.vertx.core.Future;

/// What the management port of a supervisor tells of. Thread-safe.
record Overseen(Crew crew, Health health, Stop stop) implements Managed {

  /// Whether all workers were ready once.
  @Override
  public boolean started() {
    return health.started();
  }

  /// One worker is enough: connections are steered to those that there are.
  @Override
  public boolean ready() {
    return health.ready() && crew.ready() > 0;
  }

  @Override
  public Future<String> metrics() {
    return Future.fromCompletionStage(crew.metrics());
  }

  @Override
  public void drain() {
    stop.ask("POST /drain");
  }

  @Override
  public Future<String> reload() {
    return Future.fromCompletionStage(crew.reload());
  }
}
