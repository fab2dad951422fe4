package dev.roost.server.guard;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.*; // a name beyond 100 columns
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `permessage-deflate` (RFC 7692) as agreed with one client. Vert.x's own negotiation is not used:
/// it inflates without a bound, and it closes a connection on which 128 requests are pipelined.
/// Confined to its event loop.
public final class WebSocketDeflate {

  private static final String NAME = "permessage-deflate";

  /// 8 to 15, without leading zeros (RFC 7692, 7.1.2).
  private static final Pattern WINDOW = Pattern.compile("[89]|1[0-5]");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

  /// The event loop does the work, so the fastest.
  private static final int LEVEL = 1;

  private static final int WINDOW_BITS = 15;

  private static final PerMessageDeflateServerExtensionHandshaker HANDSHAKER =
      new PerMessageDeflateServerExtensionHandshaker(LEVEL, false, WINDOW_BITS, true, false, 0);

  private final WebSocketServerExtension extension;

  private WebSocketDeflate(WebSocketServerExtension extension) {
    this.extension = extension;
  }

  /// Agrees to the first offer that can be met. One with a parameter that is unknown, is there
  /// twice, has a value where none is allowed or one that is not allowed is declined (RFC 7692,
  /// 7.1) and the next one looked at; what cannot be read is no offer.
  ///
  /// @param offers the values of `Sec-WebSocket-Extensions`
  public static Optional<WebSocketDeflate> agree(List<String> offers) {
    return offers.stream()
        .flatMap(line -> split(line, ',').stream())
        .flatMap(offer -> accept(offer).stream())
        .findFirst();
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

  private static Optional<WebSocketDeflate> accept(String offer) {
    var parts = split(offer, ';');
    if (!parts.removeFirst().strip().equals(NAME)) {
      return Optional.empty();
    }
    var parameters = new HashMap<String, @Nullable String>();
    for (var part : parts) {
      var equals = part.indexOf('=');
      var name = (equals < 0 ? part : part.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
      var value = equals < 0 ? null : unquoted(part.substring(equals + 1).strip());
      if (parameters.containsKey(name) || !isAllowed(name, value)) {
        return Optional.empty();
      }
      parameters.put(name, value);
    }
    return Optional.ofNullable(
            HANDSHAKER.handshakeExtension(new WebSocketExtensionData(NAME, parameters)))
        .map(WebSocketDeflate::new);
  }

  private static boolean isAllowed(String parameter, @Nullable String value) {
    return switch (parameter) {
      case "server_no_context_takeover", "client_no_context_takeover" -> value == null;
      case "client_max_window_bits" -> value == null || WINDOW.matcher(value).matches();
      case "server_max_window_bits" -> value != null && WINDOW.matcher(value).matches();
      default -> false;
    };
  }

  /// A token may be quoted, and in quotes each character escaped (RFC 6455, 9.1).
  private static String unquoted(String value) {
    var quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? ESCAPE.matcher(value.substring(1, value.length() - 1)).replaceAll("$1") : value;
  }

  /// The parts of `text` between separators that are not quoted: one or more.
  private static List<String> split(String text, char separator) {
    var parts = new ArrayList<String>();
    var quoted = false;
    var start = 0;
    for (var at = 0; at < text.length(); at++) {
      var next = text.charAt(at);
      if (next == '"') {
        quoted = !quoted;
      } else if (next == '\\' && quoted) {
        at++;
      } else if (next == separator && !quoted) {
        parts.add(text.substring(start, at));
        start = at + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String parameter(Map.Entry<String, String> parameter) {
    var value = Optional.ofNullable(parameter.getValue());
    return "; " + parameter.getKey() + value.map(v -> "=" + v).orElse("");
  }
}
