package dev.roost.gate.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;

/// Writes one JSON object on one line (RFC 8259), members in the order they were added. Confined to
/// one thread.
final class JsonObject {
  private final StringJoiner members = new StringJoiner(",", "{", "}");

  JsonObject put(String name, String value) {
    return add(name, quoted(value));
  }

  JsonObject put(String name, long value) {
    return add(name, Long.toString(value));
  }

  /// Writes three decimals: figures are not finer than that.
  JsonObject put(String name, double value) {
    return add(name, String.format(Locale.ROOT, "%.3f", value));
  }

  /// Writes null where there is no value.
  JsonObject put(String name, OptionalLong value) {
    return add(name, value.isPresent() ? Long.toString(value.getAsLong()) : "null");
  }

  JsonObject put(String name, JsonObject value) {
    return add(name, value.toString());
  }

  JsonObject putAll(String name, List<?> values) {
    var array = new StringJoiner(",", "[", "]");
    for (Object value : values) {
      array.add(value instanceof JsonObject object ? object.toString() : quoted(value.toString()));
    }
    return add(name, array.toString());
  }

  JsonObject putAll(String name, Map<?, Integer> counts) {
    var object = new JsonObject();
    counts.forEach((key, count) -> object.put(key.toString().toLowerCase(Locale.ROOT), count));
    return put(name, object);
  }

  private JsonObject add(String name, String json) {
    members.add(quoted(name) + ":" + json);
    return this;
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int index = 0; index < text.length(); index++) {
      char c = text.charAt(index);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        default -> {
          if (c < ' ') {
            quoted.append("\\u%04x".formatted((int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
