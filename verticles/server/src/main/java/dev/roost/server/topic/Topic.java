package dev.roost.server.topic;

import io.vertx.core.Future;
import java.util.Optional;

/// A named log of messages that fans out to sockets, streams and polls alike, in every process of
/// the server, in one order. Thread-safe.
///
/// The last `topic.history` messages are kept, or fewer where they are more than
/// `topic.history-size`. A follower that falls further behind is told so by a gap, never by
/// silence, and goes on with the oldest message there is. So is one that comes with an id that is
/// not this topic's.
///
/// An id is good in every process of the server. A topic without followers is given up, oldest
/// first, where its process has 65,536 of them, or where all histories together take an eighth of
/// the heap; the next use begins it anew.
public interface Topic {

  /// The name it was asked for by.
  String name();

  /// Appends `message` and lets every follower know. Never blocks, from any thread.
  ///
  /// @return the message's id, when it is kept: at once in a single process, else when the
  ///   supervisor and this process have it; fails with [TopicRefusal] if it cannot be passed on
  /// @throws TopicRefusal if the message is larger than `topic.message-size` (413), or the topic is
  ///   new and there are too many (503)
  Future<String> publish(String message);

  /// Delivers everything after `lastEventId`, then whatever is published, in order, on the calling
  /// event loop. Must be called on an event loop.
  ///
  /// @param lastEventId where the follower left off; empty starts with what is published from now
  ///   on
  /// @throws TopicRefusal if the topic is new and there are too many (503)
  Subscription follow(Optional<String> lastEventId, Subscriber subscriber);

  /// The id of the newest message, or of the beginning if there is none yet.
  ///
  /// @throws TopicRefusal if the topic is new and there are too many (503)
  String lastId();
}
