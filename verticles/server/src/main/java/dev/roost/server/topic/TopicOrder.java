package dev.roost.server.topic;

import io.vertx.core.Future;

/// Puts the messages of all processes of a server into one order, and brings them to the [Topics]
/// of each. Thread-safe.
public interface TopicOrder {

  /// Brings `topics` all that there is, and from then on whatever is published.
  ///
  /// @return completes when they have what others have
  Future<Void> join(Topics topics);

  /// Never blocks.
  ///
  /// @return the message's number, when the topics of this process have it, or it is kept no more,
  ///   and those of others have it or will; fails with [TopicRefusal]
  Future<Long> publish(String topic, String text);
}
