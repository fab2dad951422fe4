package dev.roost.launcher.profile;

import dev.roost.launcher.config.Assignment;
import dev.roost.launcher.config.Environment;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.config.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All settings of a start: built-in, under the profile, under the file, under the environment,
/// under the command line.
///
/// @param settings what holds
/// @param shortfalls lines about what the profile wants and this version cannot do yet
public record Configuration(Settings settings, List<String> shortfalls) {

  /// The places to read.
  ///
  /// @param file the settings file a person named
  /// @param options what the command line sets, in its order
  public record Places(
      Home home, Optional<Path> file, Map<String, String> variables, List<Assignment> options) {}

  /// @throws dev.roost.server.settings.StartRefusal if anything in any place is not allowed
  public static Configuration read(Places places) {
    var file = places.file().or(places.home()::settingsFile).map(YamlFile::read).orElse(List.of());
    var set =
        new ArrayList<>(List.of(file, Environment.read(places.variables()), places.options()));
    var profile = new Profiles(places.home().profiles()).load(Settings.of(set));
    set.addFirst(profile.values());
    return new Configuration(Settings.of(set), profile.shortfalls());
  }
}
