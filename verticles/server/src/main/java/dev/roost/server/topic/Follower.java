package dev.roost.server.topic;

/// One follower's place in the log. Confined to its event loop.
final class Follower {

  /// The place of a client whose id is not ours: it has missed an unknown number of messages.
  static final long UNKNOWN = -1;

  private final Subscriber subscriber;
  private long place;
  private boolean due;
  private boolean held;
  private boolean cancelled;

  Follower(Subscriber subscriber, long place) {
    this.subscriber = subscriber;
    this.place = place;
  }

  /// @return whether this is the first time
  boolean cancel() {
    var first = !cancelled;
    cancelled = true;
    return first;
  }

  /// Says whether it waits for its turn.
  ///
  /// @return whether that is news
  boolean due(boolean now) {
    var news = due != now;
    due = now;
    return news;
  }

  /// Whether it was not ready when there was something for it, and nobody has asked since.
  boolean release() {
    var was = held && !cancelled;
    held = false;
    return was;
  }

  /// Delivers the next messages, after a gap where some are gone, if it is ready for them.
  ///
  /// @return whether there is more for it
  boolean deliver(LoopFollowers loop) {
    if (cancelled || loop.atEnd(place)) {
      return false;
    }
    if (!subscriber.ready()) {
      held = true;
      return false;
    }
    if (loop.after(place).isEmpty()) {
      jump(loop);
    }
    if (!cancelled && !loop.atEnd(place) && subscriber.ready()) {
      loop.after(place).ifPresent(this::take);
    }
    return !cancelled && !loop.atEnd(place);
  }

  private void take(Batch batch) {
    place = batch.last();
    subscriber.messages(batch);
  }

  private void jump(LoopFollowers loop) {
    place = loop.gap();
    subscriber.gap(loop.id(place));
  }
}
