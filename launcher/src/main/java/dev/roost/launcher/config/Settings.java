package dev.roost.launcher.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What holds, for every key of the catalogue. Immutable, and checked when made.
public final class Settings {
  private final Map<String, Setting> byName;

  private Settings(Map<String, Setting> byName) {
    this.byName = byName;
  }

  /// Lays the places over each other. Every wish is checked, also one that a later place overrules.
  ///
  /// @param places what each place wishes, the weakest first
  /// @throws dev.roost.server.settings.StartRefusal for an unknown key or a value that is not
  ///   allowed
  public static Settings of(List<List<Assignment>> places) {
    var byName = new LinkedHashMap<String, Setting>();
    for (var key : Catalogue.keys()) {
      byName.put(key.name(), new Setting(key, key.builtIn(), Source.BUILT_IN));
    }
    places.stream()
        .flatMap(Collection::stream)
        .map(Settings::checked)
        .forEach(setting -> byName.put(setting.key().name(), setting));
    return new Settings(byName);
  }

  private static Setting checked(Assignment assignment) {
    var key = Catalogue.find(assignment.key()).orElseThrow(() -> Refusals.unknownKey(assignment));
    key.read(assignment.text(), assignment.source());
    return new Setting(key, assignment.text(), assignment.source());
  }

  /// The value that holds.
  public <T> T value(Key<T> key) {
    var setting = setting(key);
    return key.read(setting.text(), setting.source());
  }

  /// Its text, and where it came from.
  public Setting setting(Key<?> key) {
    return Objects.requireNonNull(byName.get(key.name()), key.name());
  }

  /// All of them, in the order of the catalogue.
  public List<Setting> all() {
    return List.copyOf(byName.values());
  }
}
