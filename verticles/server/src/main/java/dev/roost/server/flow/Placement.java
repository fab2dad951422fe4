package dev.roost.server.flow;

import io.vertx.ext.web.RoutingContext;

/// Where what an application was asked to do runs, and where the server's own steps between do.
public interface Placement {

  /// Everything runs where the request came in.
  Placement EVENT_LOOP =
      new Placement() {
        @Override
        public void handle(RoutingContext request, Runnable handler) {
          handler.run();
        }

        @Override
        public void serve(RoutingContext request, Runnable step) {
          step.run();
        }

        @Override
        public boolean isEventLoop() {
          return true;
        }
      };

  /// Runs a handler of the application for `request`, now or soon; those of one request come one
  /// after the other, in order.
  void handle(RoutingContext request, Runnable handler);

  /// Runs a step of the server for `request` on its event loop, now or soon.
  void serve(RoutingContext request, Runnable step);

  /// Called when the server stops and the drain timeout is over.
  default void stop() {}

  /// Whether handlers run on the event loop and must not block.
  boolean isEventLoop();
}
