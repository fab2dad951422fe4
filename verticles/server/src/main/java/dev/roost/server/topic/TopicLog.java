package dev.roost.server.topic;

import dev.roost.server.metrics.TopicMetrics;
import dev.roost.server.settings.TopicSettings;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The messages of a topic in this process: a ring of the last ones, and a place in it for each
/// follower, so that a slow one costs nothing but the ring. Thread-safe.
final class TopicLog {

  private static final int RING_MIN = 16;

  /// Most of one batch; a single message may be longer.
  private static final int BATCH_MESSAGES_MAX = 64;

  private static final long BATCH_BYTES_MAX = 64 << 10;

  private final String name;
  private final String epoch;
  private final TopicSettings settings;
  private final TopicMetrics metrics;
  private final ConcurrentMap<ContextInternal, LoopFollowers> loops = new ConcurrentHashMap<>();

  /// Message n stands at n modulo the length, a power of two that grows with the history.
  private TopicMessage[] ring = new TopicMessage[RING_MIN];

  /// Number of the oldest message that is kept.
  private long oldest = 1;

  /// Number of the newest message; the first is 1. Written under the lock.
  private volatile long newest;

  private long bytes;
  private int followers;
  private boolean touched;
  private boolean retired;

  /// @param epoch no other log's, of this run or another
  TopicLog(String name, String epoch, TopicSettings settings, TopicMetrics metrics) {
    this.name = name;
    this.epoch = epoch;
    this.settings = settings;
    this.metrics = metrics;
  }

  String name() {
    return name;
  }

  /// @return the message's id, or empty if this log is retired
  Optional<String> publish(String text) {
    var id = append(text);
    if (id.isPresent()) {
      loops.values().forEach(LoopFollowers::wake);
    }
    return id;
  }

  /// @return empty if this log is retired
  Optional<Subscription> follow(Optional<String> lastEventId, Subscriber subscriber) {
    if (!enter()) {
      return Optional.empty();
    }
    var loop = ContextInternal.current().unwrap(); // each request has a context of its own
    var follower = new Follower(subscriber, lastEventId.map(this::placeOf).orElse(newest));
    return Optional.of(
        loops.computeIfAbsent(loop, _ -> new LoopFollowers(this, loop)).add(follower));
  }

  String lastId() {
    return id(newest);
  }

  long newest() {
    return newest;
  }

  /// The messages after the one of that number.
  ///
  /// @param number below [#newest()]
  /// @return empty if there is a gap between it and the oldest that is kept
  synchronized Optional<Batch> after(long number) {
    if (number < oldest - 1) {
      return Optional.empty();
    }
    List<TopicMessage> batch = new ArrayList<>();
    var size = 0L;
    for (var next = number + 1; next <= newest && batch.size() < BATCH_MESSAGES_MAX; next++) {
      var message = at(next);
      size += message.bytes();
      if (size > BATCH_BYTES_MAX && !batch.isEmpty()) {
        break;
      }
      batch.add(message);
    }
    return Optional.of(new Batch(batch));
  }

  /// The place before the oldest message that is kept, for a follower that has missed some.
  synchronized long gap() {
    metrics.gap();
    return oldest - 1;
  }

  String id(long number) {
    return epoch + '-' + number;
  }

  /// A follower has gone, and with it perhaps the last one of its loop.
  synchronized void leave(ContextInternal loop, boolean last) {
    followers--;
    if (last) {
      loops.remove(loop);
    }
  }

  /// Gives the history up if nobody follows.
  ///
  /// @param ifUnused only if nobody has published or followed since this was last asked either
  /// @return whether this log is of no use any more
  synchronized boolean retire(boolean ifUnused) {
    if (followers > 0 || (touched && ifUnused)) {
      touched = false;
      return false;
    }
    retired = true;
    metrics.historyGrew(-bytes);
    return true;
  }

  /// Gives up the older half of the history.
  synchronized void halve() {
    for (var end = oldest + (newest - oldest + 1) / 2; oldest < end; ) {
      dropOldest();
    }
  }

  private synchronized Optional<String> append(String text) {
    if (retired) {
      return Optional.empty();
    }
    var number = newest + 1;
    var message = new TopicMessage(id(number), text);
    makeRoom(message.bytes());
    ring[place(number)] = message;
    grow(message.bytes());
    touched = true;
    newest = number;
    return Optional.of(message.id());
  }

  private void makeRoom(long more) {
    while (oldest <= newest
        && (bytes + more > settings.historyBytesMax()
            || newest - oldest + 1 >= settings.historyMessagesMax())) {
      dropOldest();
    }
    if (newest - oldest + 1 == ring.length) {
      var wider = new TopicMessage[ring.length * 2];
      for (var number = oldest; number <= newest; number++) {
        wider[(int) (number & (wider.length - 1))] = at(number);
      }
      ring = wider;
    }
  }

  @SuppressWarnings("NullAway") // a place outside oldest..newest is never read
  private void dropOldest() {
    grow(-at(oldest).bytes());
    ring[place(oldest)] = null;
    oldest++;
  }

  private void grow(long more) {
    bytes += more;
    metrics.historyGrew(more);
  }

  private TopicMessage at(long number) {
    return ring[place(number)];
  }

  private int place(long number) {
    return (int) (number & (ring.length - 1));
  }

  private synchronized boolean enter() {
    if (!retired) {
      followers++;
      touched = true;
    }
    return !retired;
  }

  /// The number that a client's id stands for; one we never gave out is before everything.
  private long placeOf(String id) {
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
