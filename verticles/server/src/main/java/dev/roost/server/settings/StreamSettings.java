package dev.roost.server.settings;

import java.time.Duration;

/// Keys `sse.*`, `long-poll.*` and `topic.*`.
///
/// @param heartbeat time between two comments on a silent event stream, 100 ms..1 h; a client that
///   takes nothing for two of them is cut
/// @param outboxEventsMax events a slow client may leave untaken, 1..65,536; beyond it the stream
///   is shed
/// @param pollTimeout time a long poll waits for news before it answers 204, 100 ms..1 h
/// @param topics bounds of a topic
public record StreamSettings(
    Duration heartbeat, int outboxEventsMax, Duration pollTimeout, TopicSettings topics) {
  public StreamSettings {
    Require.between("sse.heartbeat", heartbeat, Duration.ofMillis(100), Duration.ofHours(1));
    Require.between("sse.outbox", outboxEventsMax, 1, 65_536);
    Require.between("long-poll.timeout", pollTimeout, Duration.ofMillis(100), Duration.ofHours(1));
  }

  /// The same with topics that remember so many messages of the built-in sizes.
  public StreamSettings(
      Duration heartbeat, int outboxEventsMax, Duration pollTimeout, int historyMessagesMax) {
    this(heartbeat, outboxEventsMax, pollTimeout, TopicSettings.remembering(historyMessagesMax));
  }
}
