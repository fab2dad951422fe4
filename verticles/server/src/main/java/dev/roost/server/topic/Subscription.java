package dev.roost.server.topic;

/// A follower's place in a topic. Confined to the event loop that made it.
public interface Subscription {

  /// Stops delivery; doing so twice is harmless.
  void cancel();
}
