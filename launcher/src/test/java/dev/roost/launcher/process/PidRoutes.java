package dev.roost.launcher.process;

import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/// Tells which process answers; on `/slow` after a while.
public final class PidRoutes implements RouteSet {
  private static final Duration SLOW = Duration.ofSeconds(3);

  @Override
  public void mount(Routes routes) {
    routes.get("/", request -> request.end(pid())).get("/slow", PidRoutes::later);
  }

  private static void later(RoutingContext request) {
    request.vertx().setTimer(SLOW.toMillis(), _ -> request.end(pid()));
  }

  private static String pid() {
    return Long.toString(ProcessHandle.current().pid());
  }
}
