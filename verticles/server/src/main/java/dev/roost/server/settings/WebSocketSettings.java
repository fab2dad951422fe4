package dev.roost.server.settings;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/// Keys `ws.*`.
///
/// @param frameBytesMax largest frame, in bytes, 125 B..1 GiB; beyond it 1009
/// @param messageBytesMax largest message, in bytes, 125 B..1 GiB; beyond it 1009
/// @param idleTimeout a socket on which no message moved for so long is closed with 1001, 100 ms..1
///   day; found at the ping that follows
/// @param ping time between two pings, which also find dead peers, 100 ms..1 h
/// @param outboxMessagesMax messages a slow client may leave untaken, 1..65,536; beyond it 1013
/// @param origins whose pages may open a socket besides our own: `https://example.org`, or `*` for
///   all; others are refused with 403
/// @param compression whether permessage-deflate may be agreed on (RFC 7692)
public record WebSocketSettings(
    int frameBytesMax,
    int messageBytesMax,
    Duration idleTimeout,
    Duration ping,
    int outboxMessagesMax,
    List<String> origins,
    boolean compression) {

  /// In messages of the largest size, what a slow client may leave untaken in bytes.
  private static final int OUTBOX_LARGEST_MESSAGES = 4;

  /// What an origin looks like (RFC 6454, 6.2).
  private static final Pattern ORIGIN = Pattern.compile("\\*|https?://[^/,?#@\\s]+");

  public WebSocketSettings {
    Require.between("ws.frame-size", frameBytesMax, 125, 1 << 30);
    Require.between("ws.message-size", messageBytesMax, 125, 1 << 30);
    Require.between("ws.idle-timeout", idleTimeout, Duration.ofMillis(100), Duration.ofDays(1));
    Require.between("ws.ping", ping, Duration.ofMillis(100), Duration.ofHours(1));
    Require.between("ws.outbox", outboxMessagesMax, 1, 65_536);
    origins = List.copyOf(origins);
    for (var origin : origins) {
      if (!isOrigin(origin)) {
        throw new IllegalArgumentException(
            "ws.origins: %s is not * or an origin such as https://example.org".formatted(origin));
      }
    }
  }

  /// The built-in defaults of the design.
  public static WebSocketSettings builtIn() {
    return new WebSocketSettings(
        1 << 20, 4 << 20, Duration.ofSeconds(300), Duration.ofSeconds(30), 256, List.of(), false);
  }

  /// Whether `text` may stand in `ws.origins`.
  public static boolean isOrigin(String text) {
    return ORIGIN.matcher(text).matches();
  }

  /// Bytes a slow client may leave untaken; beyond it 1013.
  public long outboxBytesMax() {
    return (long) OUTBOX_LARGEST_MESSAGES * messageBytesMax;
  }
}
