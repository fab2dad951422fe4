package dev.roost.server.topic;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Every topic of this process. Thread-safe.
public final class Topics {

  /// Most topics of one process; a name made from user input must not grow memory without end.
  private static final int TOPICS_MAX = 65_536;

  private final int historyMax;
  private final String epoch;
  private final ConcurrentMap<String, TopicLog> topics = new ConcurrentHashMap<>();

  /// @param historyMax messages each topic remembers
  public Topics(int historyMax) {
    this.historyMax = historyMax;
    this.epoch = newEpoch();
  }

  /// The topic of that name; the first call makes it.
  ///
  /// @throws IllegalStateException if there are 65,536 topics already
  public Topic topic(String name) {
    var topic = topics.get(name);
    if (topic != null) {
      return topic;
    }
    if (topics.size() >= TOPICS_MAX) {
      throw new IllegalStateException("there are %d topics already".formatted(TOPICS_MAX));
    }
    return topics.computeIfAbsent(name, _ -> new TopicLog(name, epoch, historyMax));
  }

  /// Ids of an earlier run of the process must not be mistaken for ours.
  private static String newEpoch() {
    var bytes = new byte[6];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
