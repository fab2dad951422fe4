package dev.roost.server.websocket;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Whose pages may open a WebSocket (RFC 6455, 10.2): browsers send their cookies along, and ask
/// nobody first. Immutable.
final class Origins {

  private static final String ANY = "*";

  private final Set<String> allowed;

  /// @param allowed `ws.origins`
  Origins(List<String> allowed) {
    this.allowed = allowed.stream().map(Origins::normal).collect(Collectors.toUnmodifiableSet());
  }

  /// Whether `request` has no origin (it comes from no browser), our own, or one that is allowed.
  boolean allow(HttpServerRequest request) {
    var origins = request.headers().getAll(HttpHeaders.ORIGIN);
    if (origins.isEmpty() || allowed.contains(ANY)) {
      return true;
    }
    var origin = normal(origins.getFirst());
    var own = normal(request.scheme() + "://" + request.getHeader(HttpHeaders.HOST));
    return origins.size() == 1 && (origin.equals(own) || allowed.contains(origin));
  }

  /// In lower case, without the port that goes without saying.
  private static String normal(String origin) {
    var lower = origin.strip().toLowerCase(Locale.ROOT);
    if (lower.startsWith("https://")) {
      return lower.replaceFirst(":443$", "");
    }
    return lower.startsWith("http://") ? lower.replaceFirst(":80$", "") : lower;
  }
}
