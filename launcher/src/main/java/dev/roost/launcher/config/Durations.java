package dev.roost.launcher.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Durations as people write them: `500ms`, `30s`, `5m`, `12h`.
final class Durations {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private Durations() {}

  static Optional<Duration> parse(String text) {
    var match = FORM.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(match.group(1));
    return Optional.of(
        switch (match.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          default -> Duration.ofHours(amount);
        });
  }

  /// In the largest unit that needs no fraction.
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds / 60 + "m";
  }
}
