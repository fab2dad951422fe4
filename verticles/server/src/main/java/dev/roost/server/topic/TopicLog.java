package dev.roost.server.topic;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// A topic in this process: a ring of the last messages, and a cursor for each follower, so that a
/// slow one costs nothing but the ring. Thread-safe.
final class TopicLog implements Topic {

  private final String name;
  private final String epoch;
  private final String[] ring;
  private final ConcurrentMap<Context, LoopFollowers> loops = new ConcurrentHashMap<>();

  /// Number of the newest message; the first is 1. Written under the lock.
  private volatile long newest;

  TopicLog(String name, String epoch, int historyMax) {
    this.name = name;
    this.epoch = epoch;
    this.ring = new String[historyMax];
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String publish(String message) {
    var number = append(message);
    loops.values().forEach(LoopFollowers::wake);
    return id(number);
  }

  @Override
  public Subscription follow(Optional<String> lastEventId, Subscriber subscriber) {
    var context = Vertx.currentContext();
    if (context == null || !context.isEventLoopContext()) {
      throw new IllegalStateException("a topic is followed on an event loop");
    }
    var follower = new Follower(subscriber, startOf(lastEventId));
    return loops.computeIfAbsent(context, _ -> new LoopFollowers(this, context)).add(follower);
  }

  @Override
  public String lastId() {
    return id(newest);
  }

  String id(long number) {
    return epoch + '-' + number;
  }

  long newest() {
    return newest;
  }

  /// The number before the oldest message that is still there.
  long beforeOldest() {
    return Math.max(0, newest - ring.length);
  }

  /// @return null if the message is gone from the history
  synchronized @Nullable String message(long number) {
    return number > beforeOldest() ? ring[(int) (number % ring.length)] : null;
  }

  private synchronized long append(String message) {
    var number = newest + 1;
    ring[(int) (number % ring.length)] = message;
    newest = number;
    return number;
  }

  /// The cursor a client's id stands for; one we never gave out starts with a gap.
  private long startOf(Optional<String> lastEventId) {
    if (lastEventId.isEmpty()) {
      return newest;
    }
    var id = lastEventId.get();
    var dash = id.indexOf('-');
    if (dash < 0 || !id.substring(0, dash).equals(epoch)) {
      return Follower.UNKNOWN;
    }
    try {
      var number = Long.parseLong(id, dash + 1, id.length(), 10);
      return number >= 0 && number <= newest ? number : Follower.UNKNOWN;
    } catch (NumberFormatException _) {
      return Follower.UNKNOWN;
    }
  }
}
