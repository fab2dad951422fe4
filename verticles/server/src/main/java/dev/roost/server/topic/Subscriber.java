package dev.roost.server.topic;

/// Receives a topic's messages on the event loop that followed it.
public interface Subscriber {

  /// Whether it can take messages now. One that cannot keeps its place at no cost but the topic's
  /// history, until [Subscription#resume()].
  default boolean ready() {
    return true;
  }

  /// The next messages. Ids are opaque; a later subscriber resumes after any of them.
  void messages(Batch batch);

  /// Messages between the last one and the next are gone from the history: the follower was away or
  /// slow for too long. `id` is where it continues from.
  void gap(String id);
}
