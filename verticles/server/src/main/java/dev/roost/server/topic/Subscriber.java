package dev.roost.server.topic;

/// Receives a topic's messages, one at a time, on the event loop that followed it.
public interface Subscriber {

  /// The next message. Ids are opaque; a later one resumes after this message.
  void message(String id, String message);

  /// Messages between the last one and the next are gone from the history: the follower was away or
  /// slow for too long. `id` is where it continues from.
  void gap(String id);
}
