package dev.roost.server.relay;

import dev.roost.server.settings.TopicSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The messages of all topics in their order, as many as there is room for: a topic's bounds are
/// those of every process, and all together have one of their own. A topic's newest message keeps
/// its place even where its text had to go, so that who comes later knows of the gap. Confined to
/// one thread.
final class RelayLog {

  /// Names made from user input must not grow memory without end.
  static final int TOPICS_MAX = 65_536;

  /// What stands around a message's bytes in memory: the entry, its buffer, its places in the maps.
  static final int OVERHEAD_BYTES = 400;

  private final TopicSettings settings;
  private final long bytesMax;
  private final NavigableMap<Long, Entry> entries = new TreeMap<>();

  /// Of the entries that have their text.
  private final NavigableMap<Long, History> whole = new TreeMap<>();

  /// The one that was published on longest ago comes first.
  private final Map<String, History> topics = new LinkedHashMap<>(16, 0.75f, true);

  private long newest;
  private long bytes;
  private long forgotten;

  /// A message in its place.
  ///
  /// @param previous the number of the topic's message before it
  /// @param post empty if it is gone
  record Entry(long number, long previous, String topic, Optional<Post> post) {
    int bytes() {
      return OVERHEAD_BYTES + post.map(Post::bytes).orElse(0);
    }

    Entry gone() {
      return new Entry(number, previous, topic, Optional.empty());
    }
  }

  /// One topic's messages that have their text.
  private static final class History {
    private final String topic;
    private final Deque<Long> numbers = new ArrayDeque<>(2);
    private long newest;
    private long bytes;

    History(String topic, long newest) {
      this.topic = topic;
      this.newest = newest;
    }
  }

  /// @param bytesMax of all topics together
  RelayLog(TopicSettings settings, long bytesMax) {
    this.settings = settings;
    this.bytesMax = bytesMax;
  }

  Entry append(Post post) {
    var topic = topics.computeIfAbsent(post.topic(), name -> new History(name, forgotten));
    if (topic.numbers.isEmpty()) {
      remove(topic.newest); // it has a successor, which tells of it
    }
    var entry = new Entry(++newest, topic.newest, topic.topic, Optional.of(post));
    add(topic, entry);
    while (topic.numbers.size() > 1 && isTooMuch(topic)) {
      drop(topic);
    }
    while (bytes > bytesMax && whole.firstKey() < newest) {
      drop(whole.firstEntry().getValue());
    }
    if (topics.size() > TOPICS_MAX) {
      forget(topics.values().iterator().next());
    }
    return entry;
  }

  /// The next one after that number.
  Optional<Entry> after(long number) {
    return Optional.ofNullable(entries.higherEntry(number)).map(Map.Entry::getValue);
  }

  /// The number of the last one, or 0.
  long newest() {
    return newest;
  }

  /// Topics that were given up had no message above it.
  long forgotten() {
    return forgotten;
  }

  /// What all take in memory.
  long bytes() {
    return bytes;
  }

  private void add(History topic, Entry entry) {
    entries.put(entry.number(), entry);
    whole.put(entry.number(), topic);
    topic.numbers.add(entry.number());
    topic.newest = entry.number();
    topic.bytes += entry.bytes();
    bytes += entry.bytes();
  }

  private boolean isTooMuch(History topic) {
    return topic.numbers.size() > settings.historyMessagesMax()
        || topic.bytes > settings.historyBytesMax();
  }

  /// Gives up the topic's oldest.
  private void drop(History topic) {
    long number = topic.numbers.remove();
    whole.remove(number);
    remove(number)
        .ifPresent(
            entry -> {
              topic.bytes -= entry.bytes();
              if (topic.numbers.isEmpty()) {
                entries.put(number, entry.gone());
                bytes += entry.gone().bytes();
              }
            });
  }

  private Optional<Entry> remove(long number) {
    var entry = Optional.ofNullable(entries.remove(number));
    entry.ifPresent(gone -> bytes -= gone.bytes());
    return entry;
  }

  private void forget(History topic) {
    topics.remove(topic.topic);
    while (!topic.numbers.isEmpty()) {
      drop(topic);
    }
    remove(topic.newest);
    forgotten = Math.max(forgotten, topic.newest);
  }
}
