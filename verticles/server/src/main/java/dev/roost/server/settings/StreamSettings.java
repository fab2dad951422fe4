package dev.roost.server.settings;

import java.time.Duration;

/// Keys `sse.*`, `long-poll.*` and `topic.*`.
///
/// @param heartbeat time between two comments on a silent event stream, 100 ms..1 h
/// @param outboxEventsMax events a slow client may leave untaken, 1..65,536; beyond it the stream
///   is shed
/// @param pollTimeout time a long poll waits for news before it answers 204, 100 ms..1 h
/// @param historyMessagesMax messages a topic remembers, 1..1,048,576; older ones are a gap
public record StreamSettings(
    Duration heartbeat, int outboxEventsMax, Duration pollTimeout, int historyMessagesMax) {
  public StreamSettings {
    Require.between("sse.heartbeat", heartbeat, Duration.ofMillis(100), Duration.ofHours(1));
    Require.between("sse.outbox", outboxEventsMax, 1, 65_536);
    Require.between("long-poll.timeout", pollTimeout, Duration.ofMillis(100), Duration.ofHours(1));
    Require.between("topic.history", historyMessagesMax, 1, 1 << 20);
  }
}
