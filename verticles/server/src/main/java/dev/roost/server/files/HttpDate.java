package dev.roost.server.files;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A date in one of the three forms that HTTP knows (RFC 9110, 5.6.7), to the second.
final class HttpDate {

  /// Two digits of a year that would be further ahead mean the century before.
  private static final int YEARS_AHEAD_MAX = 50;

  private static final List<DateTimeFormatter> WITH_WHOLE_YEAR =
      List.of(
          DateTimeFormatter.RFC_1123_DATE_TIME,
          inUtc(new DateTimeFormatterBuilder().appendPattern("EEE MMM ppd HH:mm:ss uuuu")));

  private HttpDate() {}

  /// @return empty if `text` is no date
  static Optional<Instant> parse(String text) {
    return parse(text, Clock.systemUTC());
  }

  /// @param clock tells the century of a year of two digits
  static Optional<Instant> parse(String text, Clock clock) {
    return Stream.concat(WITH_WHOLE_YEAR.stream(), Stream.of(rfc850(Year.now(clock))))
        .flatMap(form -> parse(text, form).stream())
        .findFirst();
  }

  private static Optional<Instant> parse(String text, DateTimeFormatter form) {
    try {
      return Optional.of(Instant.from(form.parse(text)));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static DateTimeFormatter rfc850(Year now) {
    var first = now.getValue() + YEARS_AHEAD_MAX - 99;
    return inUtc(
        new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, first)
            .appendPattern(" HH:mm:ss 'GMT'"));
  }

  private static DateTimeFormatter inUtc(DateTimeFormatterBuilder form) {
    return form.toFormatter(Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }
}
