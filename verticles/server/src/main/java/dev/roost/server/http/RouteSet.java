package dev.roost.server.http;

import io.vertx.core.Future;

/// An application: what it serves, told once to every event loop.
@FunctionalInterface
public interface RouteSet {

  /// Adds the routes. Called once per instance, on its event loop; must not block.
  void mount(Routes routes);

  /// Gives back what this set holds for one instance. Called on the instance's event loop when it
  /// stops.
  ///
  /// @return completes when nothing of it is left
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
