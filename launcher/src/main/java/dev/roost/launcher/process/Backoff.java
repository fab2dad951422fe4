package dev.roost.launcher.process;

import java.time.Duration;

/// How long to wait before a worker that died is started again: twice as long each time, from 100
/// ms to 30 s, and from the beginning after one has lived for a minute. Confined to one thread.
final class Backoff {
  static final Duration FIRST = Duration.ofMillis(100);
  static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration LONG_LIFE = Duration.ofMinutes(1);

  private Duration next = FIRST;

  /// @param lived from its start to its end
  /// @return time to wait now
  Duration after(Duration lived) {
    if (lived.compareTo(LONG_LIFE) >= 0) {
      next = FIRST;
    }
    var wait = next;
    var twice = next.multipliedBy(2);
    next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    return wait;
  }
}
