package dev.roost.server.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The dates of RFC 9110, 5.6.7.
class HttpDateTest {

  private static final Clock IN_2026 =
      Clock.fixed(Instant.parse("2026-03-01T00:00:00Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "'Sun, 06 Nov 1994 08:49:37 GMT', 1994-11-06T08:49:37Z",
    "'Sunday, 06-Nov-94 08:49:37 GMT', 1994-11-06T08:49:37Z",
    "'Sun Nov  6 08:49:37 1994', 1994-11-06T08:49:37Z",
    "'Wed Nov 16 08:49:37 1994', 1994-11-16T08:49:37Z",
    "'Saturday, 29-Feb-20 00:00:00 GMT', 2020-02-29T00:00:00Z"
  })
  void all_three_forms_are_understood(String text, Instant date) {
    assertThat(HttpDate.parse(text, IN_2026)).contains(date);
  }

  @ParameterizedTest
  @CsvSource({
    "'Wednesday, 01-Jan-76 00:00:00 GMT', 2076-01-01T00:00:00Z",
    "'Saturday, 01-Jan-77 00:00:00 GMT', 1977-01-01T00:00:00Z"
  })
  void two_digits_of_a_year_are_at_most_50_years_ahead(String text, Instant date) {
    assertThat(HttpDate.parse(text, IN_2026)).contains(date);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994 GMT"
      })
  void what_is_no_date_is_none(String text) {
    assertThat(HttpDate.parse(text, IN_2026)).isEmpty();
  }
}
