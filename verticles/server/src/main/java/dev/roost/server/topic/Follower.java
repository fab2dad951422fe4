package dev.roost.server.topic;

/// One follower's place in the log. Confined to its event loop.
final class Follower {

  /// The place of a client whose id is not ours: it has missed an unknown number of messages.
  static final long UNKNOWN = -1;

  private final Subscriber subscriber;
  private long cursor;
  private boolean cancelled;

  Follower(Subscriber subscriber, long cursor) {
    this.subscriber = subscriber;
    this.cursor = cursor;
  }

  void cancel() {
    cancelled = true;
  }

  /// Delivers what there is, `messagesMax` at most.
  ///
  /// @return whether there is more
  boolean deliver(TopicLog log, int messagesMax) {
    for (var delivered = 0; delivered < messagesMax; delivered++) {
      if (cancelled || cursor == log.newest()) {
        return false;
      }
      deliverNext(log);
    }
    return !cancelled && cursor < log.newest();
  }

  private void deliverNext(TopicLog log) {
    var message = cursor == UNKNOWN ? null : log.message(cursor + 1);
    if (message == null) {
      cursor = log.beforeOldest();
      subscriber.gap(log.id(cursor));
    } else {
      cursor++;
      subscriber.message(log.id(cursor), message);
    }
  }
}
