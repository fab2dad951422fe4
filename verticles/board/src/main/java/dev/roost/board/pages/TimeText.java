package dev.roost.board.pages;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// A time as a page shows it.
///
/// @param iso for `datetime`
/// @param exact for who points at it
/// @param shown how long ago, up to four weeks; then the day
record TimeText(String iso, String exact, String shown) {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final int DAYS_RELATIVE_MAX = 28;

  static TimeText of(Instant time, Instant now) {
    var seconds = time.truncatedTo(ChronoUnit.SECONDS);
    return new TimeText(seconds.toString(), EXACT.format(time), shown(time, now));
  }

  private static String shown(Instant time, Instant now) {
    var age = Duration.between(time, now);
    var days =
        ChronoUnit.DAYS.between(
            time.atZone(ZoneOffset.UTC).toLocalDate(), now.atZone(ZoneOffset.UTC).toLocalDate());
    if (days > DAYS_RELATIVE_MAX || age.isNegative()) {
      return DAY.format(time);
    }
    if (days > 0) {
      return days == 1 ? "yesterday" : days + " days ago";
    }
    if (age.toMinutes() < 2) {
      return "just now";
    }
    return age.toHours() < 2 ? age.toMinutes() + " minutes ago" : age.toHours() + " hours ago";
  }
}
