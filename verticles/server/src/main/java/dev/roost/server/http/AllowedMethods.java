package dev.roost.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Stands behind the routes of one path: a request that comes so far has a method none of them
/// serves. Notes which ones do, for `Allow` (RFC 9110, 15.5.6).
///
/// @param methods of one route
record AllowedMethods(List<HttpMethod> methods) implements Handler<RoutingContext> {

  private static final String ALLOWED = "dev.roost.allowed";

  @Override
  public void handle(RoutingContext request) {
    TreeSet<String> allowed = request.get(ALLOWED);
    if (allowed == null) {
      allowed = new TreeSet<>();
      request.put(ALLOWED, allowed);
    }
    allowed.addAll(methods.stream().map(HttpMethod::name).collect(Collectors.toSet()));
    request.next();
  }

  /// The last handler of all: 405 where another method would have been served.
  static void refuseOthers(RoutingContext request) {
    TreeSet<String> allowed = request.get(ALLOWED);
    if (allowed == null || allowed.contains(request.request().method().name())) {
      request.next(); // a route had the method, and found nothing to serve
      return;
    }
    request.response().putHeader(HttpHeaders.ALLOW, String.join(", ", allowed));
    request.fail(405);
  }
}
