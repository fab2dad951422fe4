package dev.roost.server.topic;

import java.util.Optional;

/// A named log of messages that fans out to sockets, streams and polls alike. Thread-safe.
///
/// The last `topic.history` messages are kept. A follower that falls further behind is told so by a
/// gap, never by silence.
public interface Topic {

  /// The name it was asked for by.
  String name();

  /// Appends `message` and lets every follower know. Never blocks, from any thread.
  ///
  /// @return the message's id
  String publish(String message);

  /// Delivers everything after `lastEventId`, then whatever is published, in order, on the calling
  /// event loop. Must be called on an event loop.
  ///
  /// @param lastEventId where the follower left off; empty starts with what is published from now
  ///   on
  Subscription follow(Optional<String> lastEventId, Subscriber subscriber);

  /// The id of the newest message, or of the beginning if there is none yet.
  String lastId();
}
