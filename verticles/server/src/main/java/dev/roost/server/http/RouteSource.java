package dev.roost.server.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;

/// Makes the route set of each instance.
@FunctionalInterface
public interface RouteSource {

  /// Called once per instance, on its event loop; what takes time is done off it.
  ///
  /// @return the routes; if it fails the whole start does
  Future<RouteSet> routes(Vertx vertx);

  /// The same route set for every instance.
  static RouteSource shared(RouteSet routes) {
    return _ -> Future.succeededFuture(routes);
  }
}
