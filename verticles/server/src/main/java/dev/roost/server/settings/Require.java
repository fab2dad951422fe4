package dev.roost.server.settings;

import java.time.Duration;

/// Checks of the settings records: a message names the key, the value and what is allowed.
final class Require {
  private Require() {}

  static void between(String key, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s: %d is not in %d..%d".formatted(key, value, min, max));
    }
  }

  static void between(String key, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException("%s: %s is not in %s..%s".formatted(key, value, min, max));
    }
  }
}
