package dev.roost.server.topic;

import dev.roost.server.metrics.TopicMetrics;
import dev.roost.server.settings.TopicSettings;
import io.vertx.core.internal.ContextInternal;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/// The messages of a topic in this process: a ring of the last ones, and a place in it for each
/// follower, so that a slow one costs nothing but the ring. A place is the number of the last
/// message that a follower has; numbers rise, and are those of all topics together. Thread-safe.
final class TopicLog {

  /// Most of one batch; a single message may be longer.
  private static final int BATCH_MESSAGES_MAX = 64;

  private static final long BATCH_BYTES_MAX = 64 << 10;

  private final String name;
  private final Ids ids;
  private final TopicSettings settings;
  private final TopicMetrics metrics;
  private final ConcurrentMap<ContextInternal, LoopFollowers> loops = new ConcurrentHashMap<>();
  private final Ring ring = new Ring();

  /// Every message above it is kept.
  private long floor;

  /// Number of the newest message, or the floor where there is none. Written under the lock.
  private volatile long newest;

  private long bytes;
  private int followers;
  private boolean touched;
  private boolean retired;

  /// @param ids of this topic
  /// @param floor below which it cannot say what there was
  TopicLog(Ids ids, long floor, TopicSettings settings, TopicMetrics metrics) {
    this.name = ids.topic();
    this.ids = ids;
    this.floor = floor;
    this.newest = floor;
    this.settings = settings;
    this.metrics = metrics;
  }

  String name() {
    return name;
  }

  /// Appends a message of this process.
  ///
  /// @param numbers the next number of all topics
  /// @return the message's number, or empty if this log is retired
  Optional<Long> publish(String text, LongSupplier numbers) {
    var number = append(text, numbers);
    if (number.isPresent()) {
      wake();
    }
    return number;
  }

  /// Appends a message that was put in order elsewhere.
  ///
  /// @param previous the number of the topic's message before it: if that is not here, there is a
  ///   gap
  /// @return false if this log is retired
  boolean append(long number, long previous, String text) {
    if (!missing(previous)) {
      return false;
    }
    return publish(text, () -> number).isPresent();
  }

  /// The messages up to that number are gone, but for those that are here.
  ///
  /// @return false if this log is retired
  boolean gone(long number) {
    var live = missing(number);
    wake();
    return live;
  }

  /// @return empty if this log is retired
  Optional<Subscription> follow(Optional<String> lastEventId, Subscriber subscriber) {
    if (!enter()) {
      return Optional.empty();
    }
    var loop = ContextInternal.current().unwrap(); // each request has a context of its own
    var place = lastEventId.map(id -> ids.place(id).orElse(Follower.UNKNOWN)).orElse(newest);
    var follower = new Follower(subscriber, place);
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
    return number < floor
        ? Optional.empty()
        : Optional.of(ring.after(number, BATCH_MESSAGES_MAX, BATCH_BYTES_MAX));
  }

  /// The place before the oldest message that is kept, for a follower that has missed some.
  synchronized long gap() {
    metrics.gap();
    return floor;
  }

  String id(long number) {
    return ids.id(number);
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
    for (var left = ring.size() / 2; ring.size() > left; ) {
      dropOldest();
    }
  }

  private void wake() {
    loops.values().forEach(LoopFollowers::wake);
  }

  private synchronized Optional<Long> append(String text, LongSupplier numbers) {
    if (retired) {
      return Optional.empty();
    }
    var number = numbers.getAsLong();
    var message = new TopicMessage(id(number), text);
    makeRoom(message.bytes());
    ring.add(number, message);
    grow(message.bytes());
    touched = true;
    newest = number;
    return Optional.of(number);
  }

  private synchronized boolean missing(long number) {
    if (!retired && number > newest) {
      while (ring.size() > 0) {
        dropOldest();
      }
      floor = number;
      newest = number;
    }
    return !retired;
  }

  private void makeRoom(long more) {
    while (ring.size() > 0
        && (bytes + more > settings.historyBytesMax()
            || ring.size() >= settings.historyMessagesMax())) {
      dropOldest();
    }
  }

  private void dropOldest() {
    grow(-ring.oldest().bytes());
    floor = ring.drop();
  }

  private void grow(long more) {
    bytes += more;
    metrics.historyGrew(more);
  }

  private synchronized boolean enter() {
    if (!retired) {
      followers++;
      touched = true;
    }
    return !retired;
  }
}
