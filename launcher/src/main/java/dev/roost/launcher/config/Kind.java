package dev.roost.launcher.config;

import dev.roost.server.settings.WebSocketSettings;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What a key may hold, and how its text is read.
///
/// @param allowed completes "this is not …" in a refusal
/// @param reader the value, or empty if the text is not allowed
record Kind<T>(String allowed, Function<String, Optional<T>> reader) {
  /// What comes with Roost.
  static final String SHIPPED = "shipped";

  static Kind<Integer> whole(int min, int max) {
    return new Kind<>(
        "a whole number from %d to %d".formatted(min, max),
        text -> number(text).filter(n -> n >= min && n <= max).map(Math::toIntExact));
  }

  /// Empty is what the description of the key says.
  static Kind<Optional<Integer>> optionalWhole(int min, int max) {
    var number = whole(min, max);
    return new Kind<>(
        number.allowed + ", or empty",
        text -> {
          var value = number.reader.apply(text);
          return text.isEmpty() || value.isPresent() ? Optional.of(value) : Optional.empty();
        });
  }

  /// `auto` is one per core.
  static Kind<Integer> instances(int max) {
    var count = whole(1, max);
    return new Kind<>(
        "auto (one per core) or " + count.allowed,
        text ->
            text.equals("auto")
                ? Optional.of(Math.min(max, Runtime.getRuntime().availableProcessors()))
                : count.reader.apply(text));
  }

  static Kind<Long> size(long min, long max) {
    return new Kind<>(
        "a size from %s to %s".formatted(Sizes.text(min), Sizes.text(max)),
        text -> Sizes.parse(text).filter(bytes -> bytes >= min && bytes <= max));
  }

  static Kind<Duration> duration(Duration min, Duration max) {
    return new Kind<>(
        "a duration from %s to %s, such as 30s".formatted(Durations.text(min), Durations.text(max)),
        text -> Durations.parse(text).filter(d -> d.compareTo(min) >= 0 && d.compareTo(max) <= 0));
  }

  /// The names of an enum, in lower case.
  static <E extends Enum<E>> Kind<E> oneOf(Class<E> choices) {
    List<E> all = Arrays.asList(choices.getEnumConstants());
    var names = all.stream().map(Kind::lower).collect(Collectors.joining(", "));
    return new Kind<>(
        "one of " + names,
        text -> all.stream().filter(choice -> lower(choice).equals(text)).findFirst());
  }

  /// Whether something is on.
  static Kind<Boolean> onOrOff() {
    return new Kind<>(
        "on or off", text -> Optional.of(text).filter(t -> t.matches("on|off")).map("on"::equals));
  }

  /// An address or host name to bind; a name is resolved when it is bound.
  static Kind<String> host() {
    return new Kind<>(
        "an address or a host name",
        text -> Optional.of(text).filter(t -> t.matches("[A-Za-z0-9._:%-]{1,253}")));
  }

  /// Origins of web pages besides the server's own, which always is allowed.
  static Kind<List<String>> origins() {
    return new Kind<>(
        "same, * or origins such as https://example.org, separated by commas",
        text ->
            text.equals("same")
                ? Optional.of(List.of())
                : Optional.of(Arrays.stream(text.split(",", -1)).map(String::strip).toList())
                    .filter(origins -> origins.stream().allMatch(WebSocketSettings::isOrigin)));
  }

  static Kind<String> profile() {
    return new Kind<>(
        "the name of a profile",
        text -> Optional.of(text).filter(t -> t.matches("[a-z0-9-]{1,40}")));
  }

  /// Relative paths start at the working directory.
  static Kind<Path> path() {
    return new Kind<>("a path", Kind::possiblePath);
  }

  /// A path, or nothing.
  static Kind<Optional<Path>> optionalPath() {
    return new Kind<>(
        "a path, or empty",
        text -> {
          var path = possiblePath(text);
          return text.isEmpty() || path.isPresent() ? Optional.of(path) : Optional.empty();
        });
  }

  /// An address of HTTP, or nothing.
  static Kind<Optional<URI>> optionalUrl() {
    return new Kind<>(
        "an http or https address, or empty",
        text -> {
          var url = possibleUrl(text);
          return text.isEmpty() || url.isPresent() ? Optional.of(url) : Optional.empty();
        });
  }

  private static Optional<URI> possibleUrl(String text) {
    try {
      return Optional.of(text).filter(t -> t.matches("https?://[^/?#\\s]+.*")).map(URI::create);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// What comes with Roost, nothing, or a path; which of them, the reader of the value decides.
  static Kind<String> shippedOrPath() {
    return new Kind<>("shipped, none or a path", text -> possiblePath(text).map(Path::toString));
  }

  private static Optional<Path> possiblePath(String text) {
    try {
      return Optional.of(text).filter(t -> !t.isBlank()).map(Path::of);
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  private static Optional<Long> number(String text) {
    return text.matches("-?[0-9]{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private static String lower(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }
}
