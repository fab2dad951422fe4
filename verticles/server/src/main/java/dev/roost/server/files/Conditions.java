package dev.roost.server.files;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a request's conditional headers and range make of a file, in the order of RFC 9110, 13.2.2.
///
/// @param headers of a GET or HEAD
/// @param file as it is now
/// @param ranges whether the method knows ranges: GET alone does
record Conditions(MultiMap headers, Representation file, boolean ranges) {

  /// One range. Of several we send the whole file, which section 14.2 leaves to us: few clients ask
  /// for them, and a thousand overlapping ones are an old attack.
  private static final Pattern RANGE = Pattern.compile("bytes\\s*=\\s*(\\d*)\\s*-\\s*(\\d*)\\s*");

  /// Numbers of more digits are larger than any file.
  private static final int DIGITS_MAX = 18;

  Decision decide() {
    if (isChanged()) {
      return new Decision.Changed();
    }
    if (isKnown()) {
      return new Decision.NotModified();
    }
    var range = header(HttpHeaderNames.RANGE).filter(_ -> ranges && isStillTheSame());
    return range.map(this::part).orElse(new Decision.Whole());
  }

  private boolean isChanged() {
    var match = tags(HttpHeaderNames.IF_MATCH);
    return match.isPresent()
        ? match.filter(known -> known.nameStrongly(file.tag())).isEmpty()
        : date(HttpHeaderNames.IF_UNMODIFIED_SINCE)
            .filter(file.modifiedSecond()::isAfter)
            .isPresent();
  }

  private boolean isKnown() {
    var noneMatch = tags(HttpHeaderNames.IF_NONE_MATCH);
    return noneMatch.isPresent()
        ? noneMatch.filter(known -> known.name(file.tag())).isPresent()
        : date(HttpHeaderNames.IF_MODIFIED_SINCE)
            .filter(since -> !file.modifiedSecond().isAfter(since))
            .isPresent();
  }

  /// Whether the part belongs to what the client has already. A date must be the very one it was
  /// told (RFC 9110, 13.1.5), however it is written.
  private boolean isStillTheSame() {
    return header(HttpHeaderNames.IF_RANGE)
        .map(
            known ->
                known.equals(file.tag())
                    || HttpDate.parse(known).filter(file.modifiedSecond()::equals).isPresent())
        .orElse(true);
  }

  private Decision part(String range) {
    var parsed = RANGE.matcher(range);
    if (!parsed.matches() || (parsed.group(1).isEmpty() && parsed.group(2).isEmpty())) {
      return new Decision.Whole(); // not understood, and so ignored
    }
    var end = file.bytes() - 1;
    if (parsed.group(1).isEmpty()) {
      var suffix = number(parsed.group(2));
      return suffix == 0
          ? new Decision.Unsatisfiable()
          : part(Math.max(0, file.bytes() - suffix), end);
    }
    var first = number(parsed.group(1));
    var last = parsed.group(2).isEmpty() ? end : number(parsed.group(2));
    return first > last && !parsed.group(2).isEmpty()
        ? new Decision.Whole() // no range at all
        : part(first, Math.min(last, end));
  }

  private Decision part(long first, long last) {
    return first > last ? new Decision.Unsatisfiable() : new Decision.Part(first, last);
  }

  private static long number(String digits) {
    return digits.length() > DIGITS_MAX ? Long.MAX_VALUE : Long.parseLong(digits);
  }

  /// Several lines are one list (RFC 9110, 5.3).
  private Optional<EntityTags> tags(CharSequence name) {
    var lines = headers.getAll(name);
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(new EntityTags(String.join(",", lines)));
  }

  /// A date that is none is ignored (RFC 9110, 13.1.3), and so are two.
  private Optional<Instant> date(CharSequence name) {
    return headers.getAll(name).size() > 1
        ? Optional.empty()
        : header(name).flatMap(HttpDate::parse);
  }

  private Optional<String> header(CharSequence name) {
    return Optional.ofNullable(headers.get(name)).map(String::strip);
  }
}
