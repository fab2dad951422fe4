package dev.roost.launcher.config;

import java.util.Optional;
import java.util.regex.Pattern;

/// Sizes as people write them: `8KiB`, `10MiB`, `1GiB`, `512B`, or plain bytes.
final class Sizes {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})(B|KiB|MiB|GiB|TiB)?");
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Sizes() {}

  static Optional<Long> parse(String text) {
    var match = FORM.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    long bytes = Long.parseLong(match.group(1));
    for (var unit : UNITS) {
      if (match.group(2) == null || unit.equals(match.group(2))) {
        break;
      }
      if (bytes > Long.MAX_VALUE >> 10) {
        return Optional.empty();
      }
      bytes <<= 10;
    }
    return Optional.of(bytes);
  }

  /// In the largest unit that needs no fraction.
  static String text(long bytes) {
    int unit = 0;
    while (bytes != 0 && bytes % 1024 == 0 && unit < UNITS.length - 1) {
      bytes /= 1024;
      unit++;
    }
    return bytes + UNITS[unit];
  }
}
