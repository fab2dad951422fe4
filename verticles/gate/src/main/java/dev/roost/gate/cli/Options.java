package dev.roost.gate.cli;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Pairs of `--name value`; each is taken once. Confined to one thread.
final class Options {
  private final Map<String, String> values = new HashMap<>();

  /// @throws IllegalArgumentException if a word is no option, has no value or comes twice
  Options(List<String> words) {
    for (int index = 0; index < words.size(); index += 2) {
      String word = words.get(index);
      if (!word.startsWith("--")) {
        throw new IllegalArgumentException("expected an option but found " + word);
      }
      if (index + 1 == words.size()) {
        throw new IllegalArgumentException(word + " has no value");
      }
      if (values.put(word.substring(2), words.get(index + 1)) != null) {
        throw new IllegalArgumentException(word + " is given twice");
      }
    }
  }

  /// @throws IllegalArgumentException if an option is left that nobody took
  void allTaken() {
    if (!values.isEmpty()) {
      throw new IllegalArgumentException("unknown option --" + values.keySet().iterator().next());
    }
  }

  String text(String name, String otherwise) {
    String value = values.remove(name);
    return value == null ? otherwise : value;
  }

  /// Words between `separator`; none if the option is empty or missing.
  List<String> list(String name, String separator) {
    return Stream.of(text(name, "").split(separator, -1)).filter(word -> !word.isEmpty()).toList();
  }

  Duration seconds(String name, int otherwise) {
    return Duration.ofSeconds(integer(name, otherwise));
  }

  int integer(String name, int otherwise) {
    return integer(name).orElse(otherwise);
  }

  OptionalInt integer(String name) {
    String value = values.remove(name);
    return value == null ? OptionalInt.empty() : OptionalInt.of(small(name, parsed(name, value)));
  }

  /// @throws IllegalArgumentException if it is missing
  long number(String name) {
    return parsed(name, required(name));
  }

  /// @throws IllegalArgumentException if it is missing
  int small(String name) {
    return small(name, number(name));
  }

  /// @throws IllegalArgumentException if it is missing
  String required(String name) {
    String value = values.remove(name);
    if (value == null) {
      throw new IllegalArgumentException("--" + name + " is missing");
    }
    return value;
  }

  static long parsed(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException notOne) {
      throw new IllegalArgumentException(
          "--" + name + " is " + value + " but must be a whole number", notOne);
    }
  }

  static int small(String name, long value) {
    if (value != (int) value) {
      throw new IllegalArgumentException("--" + name + " is " + value + " but must be smaller");
    }
    return (int) value;
  }
}
