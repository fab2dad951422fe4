package dev.roost.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/// What the topics count. Thread-safe.
public final class TopicMetrics {

  private final AtomicLong open = new AtomicLong();
  private final AtomicLong historyBytes = new AtomicLong();
  private final Counter evicted;
  private final Counter gaps;
  private final Counter tooBig;
  private final Counter tooMany;
  private final Counter notPassedOn;

  TopicMetrics(MeterRegistry registry) {
    Gauge.builder("roost.topics.open", open, AtomicLong::get)
        .description("Topics that have followers or a history")
        .register(registry);
    Gauge.builder("roost.topics.history", historyBytes, AtomicLong::get)
        .description("What the histories of all topics take")
        .baseUnit("bytes")
        .register(registry);
    evicted =
        Counter.builder("roost.topics.evicted")
            .description("Topics without followers whose history was given up for others")
            .register(registry);
    gaps =
        Counter.builder("roost.topics.gaps")
            .description("Followers told that messages they missed are gone from the history")
            .register(registry);
    tooBig = refused(registry, "too_big");
    tooMany = refused(registry, "too_many");
    notPassedOn = refused(registry, "not_passed_on");
  }

  private static Counter refused(MeterRegistry registry, String reason) {
    return Counter.builder("roost.topics.refused")
        .description("Messages refused as too big or not passed on, and topics refused as too many")
        .tag("reason", reason)
        .register(registry);
  }

  public void opened() {
    open.incrementAndGet();
  }

  /// A topic was given up.
  public void evicted() {
    open.decrementAndGet();
    evicted.increment();
  }

  /// A follower was told of a gap.
  public void gap() {
    gaps.increment();
  }

  public void refusedTooBig() {
    tooBig.increment();
  }

  public void refusedTooMany() {
    tooMany.increment();
  }

  /// A message was not put in order among those of other processes.
  public void refusedNotPassedOn() {
    notPassedOn.increment();
  }

  /// The histories have grown by `bytes`, or have shrunk where it is negative.
  ///
  /// @return what they take now
  public long historyGrew(long bytes) {
    return historyBytes.addAndGet(bytes);
  }
}
