package dev.roost.server.websocket;

import dev.roost.server.guard.WebSocketDeflate;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is agreed with a client whose request is about to become a WebSocket. Confined to its event
/// loop.
///
/// @param request the request
/// @param subprotocol the one that both speak, if there is one
/// @param deflate how messages are compressed, if they are
record Upgrade(
    RoutingContext request, Optional<String> subprotocol, @Nullable WebSocketDeflate deflate) {

  private static final String PROTOCOL = "sec-websocket-protocol";
  private static final String EXTENSIONS = "sec-websocket-extensions";

  /// Agrees with the client, and puts the answer into the response's head.
  ///
  /// @param subprotocols what the route speaks
  /// @param compress whether compression may be agreed on
  static Upgrade of(RoutingContext request, List<String> subprotocols, boolean compress) {
    var offers = request.request().headers().getAll(EXTENSIONS);
    var deflate = compress ? WebSocketDeflate.agree(offers) : Optional.<WebSocketDeflate>empty();
    var subprotocol =
        tokens(request.request(), PROTOCOL).filter(subprotocols::contains).findFirst();
    var head = request.response().headers();
    deflate.ifPresent(agreed -> head.set(EXTENSIONS, agreed.answer()));
    subprotocol.ifPresent(agreed -> head.set(PROTOCOL, agreed));
    // Netty wants the one word alone
    request.request().headers().set(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET);
    return new Upgrade(request, subprotocol, deflate.orElse(null));
  }

  /// The members of a list that a header holds, in whichever lines.
  static Stream<String> tokens(HttpServerRequest request, CharSequence header) {
    return request.headers().getAll(header).stream()
        .flatMap(line -> Arrays.stream(line.split(",", -1)))
        .map(String::strip)
        .filter(token -> !token.isEmpty());
  }
}
