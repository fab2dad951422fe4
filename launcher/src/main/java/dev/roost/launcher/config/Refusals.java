package dev.roost.launcher.config;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.util.Collection;

/// The words in which settings are refused: key, value, what is allowed, where it came from.
final class Refusals {
  private static final int VALUE_LENGTH_MAX = 60;

  private Refusals() {}

  static StartRefusal notAllowed(Key<?> key, String text, Source source) {
    return refusal(
        "%s: %s is not %s (%s)".formatted(key.name(), shown(text), key.kind().allowed(), source));
  }

  static StartRefusal unknownKey(Assignment assignment) {
    if (Catalogue.planned(assignment.key())) {
      return refusal(
          "%s: this version cannot do that yet (%s)"
              .formatted(assignment.key(), assignment.source()));
    }
    var names = Catalogue.keys().stream().map(Key::name).toList();
    return refusal(
        "%s: no such key%s (%s)"
            .formatted(assignment.key(), meant(assignment.key(), names), assignment.source()));
  }

  static StartRefusal unknownVariable(String name, Collection<String> known) {
    return refusal(
        "%s: no setting has this variable%s (environment)".formatted(name, meant(name, known)));
  }

  private static String meant(String name, Collection<String> known) {
    return Nearest.to(name, known).map(near -> "; did you mean %s?".formatted(near)).orElse("");
  }

  static StartRefusal twice(String key, Source first, Source second) {
    return refusal("%s: set twice, by %s and by %s".formatted(key, first, second));
  }

  static StartRefusal refusal(String message) {
    return new StartRefusal(Stage.SETTINGS, message);
  }

  /// One line, however long or strange the value is.
  private static String shown(String text) {
    var line = text.replaceAll("\\p{Cntrl}", "?");
    var cut = line.length() > VALUE_LENGTH_MAX ? line.substring(0, VALUE_LENGTH_MAX) + "…" : line;
    return cut.isBlank() || cut.contains(" ") ? '"' + cut + '"' : cut;
  }
}
