package dev.roost.server.guard;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionUtil;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.*; // a name beyond 100 columns
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// `permessage-deflate` (RFC 7692) as agreed with one client. Vert.x's own negotiation is not used:
/// it inflates without a bound, and it closes a connection on which 128 requests are pipelined.
/// Confined to its event loop.
public final class WebSocketDeflate {

  /// The event loop does the work, so the fastest.
  private static final int LEVEL = 1;

  private static final int WINDOW_BITS = 15;

  private static final PerMessageDeflateServerExtensionHandshaker HANDSHAKER =
      new PerMessageDeflateServerExtensionHandshaker(LEVEL, false, WINDOW_BITS, true, false, 0);

  private final WebSocketServerExtension extension;

  private WebSocketDeflate(WebSocketServerExtension extension) {
    this.extension = extension;
  }

  /// Agrees to the first offer that can be met. What cannot be read is no offer.
  ///
  /// @param offers the values of `Sec-WebSocket-Extensions`
  public static Optional<WebSocketDeflate> agree(List<String> offers) {
    try {
      return offers.stream()
          .flatMap(line -> WebSocketExtensionUtil.extractExtensions(line).stream())
          .map(HANDSHAKER::handshakeExtension)
          .filter(Objects::nonNull)
          .findFirst()
          .map(WebSocketDeflate::new);
    } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
      return Optional.empty();
    }
  }

  /// What the answer says in `Sec-WebSocket-Extensions`.
  public String answer() {
    WebSocketExtensionData data = extension.newReponseData();
    return data.parameters().entrySet().stream()
        .map(WebSocketDeflate::parameter)
        .collect(Collectors.joining("", data.name(), ""));
  }

  ChannelHandler encoder() {
    return extension.newExtensionEncoder();
  }

  static boolean isFirstOfMessage(WebSocketFrame frame) {
    return frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
  }

  private static String parameter(Map.Entry<String, String> parameter) {
    var value = Optional.ofNullable(parameter.getValue());
    return "; " + parameter.getKey() + value.map(v -> "=" + v).orElse("");
  }
}
