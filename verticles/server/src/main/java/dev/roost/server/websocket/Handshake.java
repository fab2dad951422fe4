package dev.roost.server.websocket;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Base64;
import java.util.Optional;

/// What a request must be to become a WebSocket (RFC 6455, 4.2.1). Confined to its event loop.
final class Handshake {

  private static final Logger LOG = System.getLogger(Handshake.class.getName());

  private static final String VERSION = "sec-websocket-version";
  private static final String SPOKEN = "13";
  private static final int KEY_BYTES = 16;

  private final Origins origins;
  private boolean originRefused;

  Handshake(Origins origins) {
    this.origins = origins;
  }

  /// Why a request is not upgraded.
  private record Refusal(int status, String words) {}

  /// Answers `request` where it cannot be upgraded.
  ///
  /// @return whether it was answered
  boolean refuses(RoutingContext request) {
    var refusal = refusal(request.request());
    refusal.ifPresent(why -> answer(request, why));
    return refusal.isPresent();
  }

  private Optional<Refusal> refusal(HttpServerRequest request) {
    if (!asksForWebSocket(request)) {
      return refuse(426, "This address speaks WebSocket only.");
    }
    if (!SPOKEN.equals(request.getHeader(VERSION))) {
      return refuse(426, "This server speaks version 13 of the WebSocket protocol.");
    }
    if (!hasKey(request)) {
      return refuse(400, "Sec-WebSocket-Key must be 16 bytes in Base64.");
    }
    if (hasBody(request)) {
      return refuse(400, "A WebSocket handshake has no body.");
    }
    if (!origins.allow(request)) {
      logOnce(request);
      return refuse(403, "Pages of this origin may not open a WebSocket here.");
    }
    return Optional.empty();
  }

  private static boolean asksForWebSocket(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_1_1
        && Upgrade.tokens(request, HttpHeaders.CONNECTION).anyMatch("upgrade"::equalsIgnoreCase)
        && Upgrade.tokens(request, HttpHeaders.UPGRADE).anyMatch("websocket"::equalsIgnoreCase);
  }

  private static boolean hasKey(HttpServerRequest request) {
    var keys = request.headers().getAll("sec-websocket-key");
    try {
      return keys.size() == 1
          && Base64.getDecoder().decode(keys.getFirst().strip()).length == KEY_BYTES;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean hasBody(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        || (length != null && !length.equals("0"));
  }

  private static Optional<Refusal> refuse(int status, String words) {
    return Optional.of(new Refusal(status, words));
  }

  /// The first one tells an operator which setting is in the way; more would fill the log at a
  /// stranger's will, so they are counted only, as answers with 403.
  private void logOnce(HttpServerRequest request) {
    LOG.log(
        originRefused ? Level.DEBUG : Level.WARNING,
        () ->
            "a WebSocket was refused: ws.origins has no %s (told once per event loop)"
                .formatted(request.getHeader(HttpHeaders.ORIGIN)));
    originRefused = true;
  }

  private static void answer(RoutingContext request, Refusal refusal) {
    var response = request.response().setStatusCode(refusal.status());
    response.putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
    if (refusal.status() == 426) {
      response.putHeader(VERSION, SPOKEN);
      if (request.request().version() == HttpVersion.HTTP_1_1) { // RFC 9113, 8.2.2 forbids it
        response.putHeader(HttpHeaders.UPGRADE, "websocket");
        response.putHeader(HttpHeaders.CONNECTION, "upgrade");
      }
    }
    request.end(refusal.words() + "\n"); // a failure: the client is gone
  }
}
