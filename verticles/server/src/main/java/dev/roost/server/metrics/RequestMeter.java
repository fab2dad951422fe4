package dev.roost.server.metrics;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// What one event loop counts of its requests: a few additions each, to memory that no other loop
/// writes, since numbers shared by all loops cost more than the counting. /metrics adds them up.
/// Thread-safe: a handler that runs off the loop ends its request there.
public final class RequestMeter {

  /// A method that is none of these counts as OTHER.
  static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OTHER");

  /// A status that is none, 100..599, counts as 0.
  static final int STATUSES = 600;

  /// Upper bounds of the histogram's buckets, in milliseconds; one more has no bound.
  static final long[] BOUNDS_MILLIS = {1, 5, 25, 100, 500, 2_000, 10_000};

  private static final long MILLI = 1_000_000;

  private final AtomicLong started = new AtomicLong();
  private final AtomicLong nanosSum = new AtomicLong();
  private final AtomicLongArray answers = new AtomicLongArray(METHODS.size() * STATUSES);
  private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS_MILLIS.length + 1);

  RequestMeter() {}

  /// A request's head has arrived.
  public void started() {
    started.getAndIncrement();
  }

  /// A request was answered, or its client left.
  ///
  /// @param status 0 where there was no answer
  /// @param nanos since its head arrived
  public void ended(String method, int status, long nanos) {
    var known = METHODS.indexOf(method);
    var row = known < 0 ? METHODS.size() - 1 : known;
    answers.getAndIncrement(row * STATUSES + (status >= 100 && status < STATUSES ? status : 0));
    buckets.getAndIncrement(bucket(nanos));
    nanosSum.getAndAdd(nanos);
  }

  long startedCount() {
    return started.get();
  }

  long nanos() {
    return nanosSum.get();
  }

  /// @param index row of the method times [#STATUSES], plus the status
  long answers(int index) {
    return answers.get(index);
  }

  long inBucket(int bucket) {
    return buckets.get(bucket);
  }

  private static int bucket(long nanos) {
    for (var bucket = 0; bucket < BOUNDS_MILLIS.length; bucket++) {
      if (nanos <= BOUNDS_MILLIS[bucket] * MILLI) {
        return bucket;
      }
    }
    return BOUNDS_MILLIS.length;
  }
}
