package dev.roost.server.topic;

import dev.roost.server.metrics.TopicMetrics;
import dev.roost.server.settings.TopicSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

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
  private final Optional<TopicOrder> order;
  private final ConcurrentMap<String, TopicLog> logs = new ConcurrentHashMap<>();

  /// Every log, the one to be looked at first at its head. Guarded by this.
  private final Deque<TopicLog> clock = new ArrayDeque<>();

  /// The number of the last message of all topics, where they are put in order here.
  private final AtomicLong numbers = new AtomicLong();

  /// Ids of an earlier run must not be mistaken for ours.
  private volatile String run = newRun();

  /// Messages up to this number may have been in topics that were given up. Guarded by this.
  private long forgotten;

  /// The topics of a server of one process.
  public Topics(TopicSettings settings, TopicMetrics metrics) {
    this(settings, metrics, Optional.empty());
  }

  /// @param order of the messages of several processes; empty where there is one
  public Topics(TopicSettings settings, TopicMetrics metrics, Optional<TopicOrder> order) {
    this.settings = settings;
    this.metrics = metrics;
    this.order = order;
  }

  /// A name for the messages of a server, from its start to its end.
  public static String newRun() {
    var bytes = new byte[6];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// To be waited for before anybody publishes or follows.
  public Future<Void> begin() {
    return order.map(all -> all.join(this)).orElseGet(Future::succeededFuture);
  }

  /// The topic of that name, which costs nothing until it is used.
  public Topic topic(String name) {
    return new NamedTopic(name, this);
  }

  /// Begins with ids of that run.
  ///
  /// @param gone messages up to this number may have been in topics that nobody knows any more
  public void in(String run, long gone) {
    this.run = run;
    forget(gone);
  }

  /// Takes a message that was put in order elsewhere; its number is above all that came before.
  ///
  /// @param previous the number of the topic's message before it; 0 if it is the first
  public void append(String name, long number, long previous, String text) {
    inLog(name, number, previous, log -> log.append(number, previous, text));
  }

  /// The topic's messages up to that number are gone, but for those that came here.
  public void gone(String name, long number) {
    inLog(name, number, number, log -> log.gone(number));
  }

  /// @throws TopicRefusal as [Topic#publish(String)] says
  Future<String> publish(String name, String text) {
    check(text);
    if (order.isEmpty()) {
      return Future.succeededFuture(ids(name).id(publishHere(name, text)));
    }
    return onCaller(order.get().publish(name, text))
        .onFailure(_ -> metrics.refusedNotPassedOn())
        .map(number -> ids(name).id(number));
  }

  /// The log of that name, which may be retired by the time it is used.
  TopicLog log(String name) {
    var log = logs.get(name);
    return log == null ? make(name, 0) : log;
  }

  private void check(String text) {
    var bytes = 2L * text.length();
    if (bytes > settings.messageBytesMax()) {
      metrics.refusedTooBig();
      throw TopicRefusal.tooBig(bytes, settings.messageBytesMax());
    }
  }

  private long publishHere(String name, String text) {
    while (true) {
      var log = log(name);
      var number = log.publish(text, numbers::incrementAndGet);
      if (number.isPresent()) {
        settle(log);
        return number.get();
      }
    }
  }

  /// Where there are too many topics, a message is dropped: nobody follows its topic here.
  private void inLog(String name, long number, long floor, Predicate<TopicLog> action) {
    try {
      while (true) {
        var log = logs.get(name);
        var found = log == null ? make(name, floor) : log;
        if (action.test(found)) {
          settle(found);
          return;
        }
      }
    } catch (TopicRefusal _) { // it is counted
      forget(number);
    }
  }

  /// Keeps all histories together within their bound after `published` has grown: at the cost of
  /// topics that nobody follows, else at its own.
  private void settle(TopicLog published) {
    var bytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    while (metrics.historyGrew(0) > bytesMax) {
      if (!evictIdle()) {
        published.halve();
        return;
      }
    }
  }

  /// @param floor below which others say that there was something
  private synchronized TopicLog make(String name, long floor) {
    var other = logs.get(name);
    if (other != null) {
      return other;
    }
    if (clock.size() >= TOPICS_MAX && !evictIdle()) {
      metrics.refusedTooMany();
      throw TopicRefusal.tooMany(TOPICS_MAX);
    }
    var log = new TopicLog(ids(name), Math.max(floor, forgotten), settings, metrics);
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
        forget(log.newest());
        logs.remove(log.name(), log);
        metrics.evicted();
        return true;
      }
      clock.add(log);
    }
    return false;
  }

  private synchronized void forget(long number) {
    forgotten = Math.max(forgotten, number);
  }

  /// Another process may be ahead of this one.
  private boolean isPossible(long number) {
    return order.isPresent() || number <= numbers.get();
  }

  private Ids ids(String name) {
    return new Ids(name, run, this::isPossible);
  }

  /// Whoever publishes on an event loop goes on there.
  private static <T> Future<T> onCaller(Future<T> future) {
    var caller = ContextInternal.current();
    if (caller == null) {
      return future;
    }
    Promise<T> there = caller.promise();
    future.onComplete(there);
    return there.future();
  }
}
