package dev.roost.server.topic;

import dev.roost.server.metrics.TopicMetrics;
import dev.roost.server.settings.TopicSettings;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Every topic of this process. Thread-safe.
public final class Topics {

  /// Most topics of one process; a name made from user input must not grow memory without end.
  static final int TOPICS_MAX = 65_536;

  /// Which part of the heap all histories together may fill.
  private static final int HEAP_SHARE = 8;

  /// Topics looked at when one is to be given up, at about 50 ns each: what a new one may cost.
  private static final int LOOKS_MAX = 512;

  private final TopicSettings settings;
  private final TopicMetrics metrics;
  private final String run = newRun();
  private final ConcurrentMap<String, TopicLog> logs = new ConcurrentHashMap<>();

  /// Every log, the one to be looked at first at its head. Guarded by this.
  private final Deque<TopicLog> clock = new ArrayDeque<>();

  private long made;

  public Topics(TopicSettings settings, TopicMetrics metrics) {
    this.settings = settings;
    this.metrics = metrics;
  }

  /// The topic of that name, which costs nothing until it is used.
  public Topic topic(String name) {
    return new NamedTopic(name, this);
  }

  /// @throws TopicRefusal if `text` is too large
  void check(String text) {
    var bytes = 2L * text.length();
    if (bytes > settings.messageBytesMax()) {
      metrics.refusedTooBig();
      throw TopicRefusal.tooBig(bytes, settings.messageBytesMax());
    }
  }

  /// The log of that name, which may be retired by the time it is used.
  TopicLog log(String name) {
    var log = logs.get(name);
    return log == null ? make(name) : log;
  }

  /// Keeps all histories together within their bound after `published` has grown: at the cost of
  /// topics that nobody follows, else at its own.
  void settle(TopicLog published) {
    var bytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    while (metrics.historyGrew(0) > bytesMax) {
      if (!evictIdle()) {
        published.halve();
        return;
      }
    }
  }

  private synchronized TopicLog make(String name) {
    var other = logs.get(name);
    if (other != null) {
      return other;
    }
    if (clock.size() >= TOPICS_MAX && !evictIdle()) {
      metrics.refusedTooMany();
      throw TopicRefusal.tooMany(TOPICS_MAX);
    }
    var log = new TopicLog(name, run + Long.toHexString(made++), settings, metrics);
    logs.put(name, log);
    clock.add(log);
    metrics.opened();
    return log;
  }

  /// Gives up a topic without followers: one that was not used since it was last looked at, or,
  /// where the first half of the looks finds none, any.
  private synchronized boolean evictIdle() {
    var looks = Math.min(clock.size(), LOOKS_MAX);
    for (var look = 0; look < looks; look++) {
      var log = clock.remove();
      if (log.retire(look < looks / 2)) {
        logs.remove(log.name(), log);
        metrics.evicted();
        return true;
      }
      clock.add(log);
    }
    return false;
  }

  /// Ids of an earlier run of the process must not be mistaken for ours.
  private static String newRun() {
    var bytes = new byte[6];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes) + '.';
  }
}
