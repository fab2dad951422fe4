package dev.roost.server.settings;

import java.time.Duration;

/// Keys `ws.*`.
///
/// @param frameBytesMax largest frame, in bytes, 125 B..1 GiB; beyond it 1009
/// @param messageBytesMax largest message, in bytes, 125 B..1 GiB; beyond it 1009
/// @param idleTimeout a socket on which nothing moved for so long is closed, 1 s..1 day
/// @param ping time between two pings, which also find dead peers, 1 s..1 h
/// @param outboxMessagesMax messages a slow client may leave untaken, 1..65,536; beyond it 1013
public record WebSocketSettings(
    int frameBytesMax,
    int messageBytesMax,
    Duration idleTimeout,
    Duration ping,
    int outboxMessagesMax) {
  public WebSocketSettings {
    Require.between("ws.frame-size", frameBytesMax, 125, 1 << 30);
    Require.between("ws.message-size", messageBytesMax, 125, 1 << 30);
    Require.between("ws.idle-timeout", idleTimeout, Duration.ofSeconds(1), Duration.ofDays(1));
    Require.between("ws.ping", ping, Duration.ofSeconds(1), Duration.ofHours(1));
    Require.between("ws.outbox", outboxMessagesMax, 1, 65_536);
  }
}
