package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Settings;
import dev.roost.server.http.RouteSource;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.function.Supplier;

/// What `vertx run` was asked to run, found but not yet started.
sealed interface Target {

  /// As the start line names it.
  String name();

  /// Routes that the HTTP server verticles serve.
  record Routed(String name, Opener opener) implements Target {}

  /// Any other verticle; it opens its own ports.
  record Plain(String name, Supplier<? extends Deployable> verticle) implements Target {}

  /// Makes an application ready before a port is opened for it.
  @FunctionalInterface
  interface Opener {
    Future<Opened> open(Surroundings surroundings);

    /// For routes that need nothing opened.
    static Opener of(RouteSource routes) {
      return _ -> Future.succeededFuture(new Opened(routes, Future::succeededFuture));
    }
  }

  /// What an application may want to know.
  ///
  /// @param dataFolder locked by this process, or by its supervisor
  record Surroundings(Vertx vertx, Settings settings, Home home, Path dataFolder, Place place) {}

  /// Which of several processes this is. What must be done once, such as a migration or a job by
  /// the clock, is done by who is alone or the first; the others start when that one is ready.
  enum Place {
    ALONE,
    FIRST,
    OTHER
  }

  /// An application that waits for its first request.
  ///
  /// @param close gives back what it holds, after the last answer
  record Opened(RouteSource routes, Supplier<Future<Void>> close) {}
}
