package dev.roost.server.topic;

/// A follower's place in a topic. Confined to the event loop that made it.
public interface Subscription {

  /// Goes on after [Subscriber#ready()] has said no; harmless where it has not.
  void resume();

  /// Stops delivery; doing so twice is harmless.
  void cancel();

  /// A subscription to nothing.
  static Subscription none() {
    return new Subscription() {
      @Override
      public void resume() {}

      @Override
      public void cancel() {}
    };
  }
}
