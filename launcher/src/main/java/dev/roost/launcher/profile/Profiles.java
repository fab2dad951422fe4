package dev.roost.launcher.profile;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.partitioningBy;

import dev.roost.launcher.config.Assignment;
import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.config.YamlFile;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The profiles of one folder, a file each: `lowmem.yaml` is the profile `lowmem`.
final class Profiles {
  private static final String ENDING = ".yaml";

  private final Path folder;

  Profiles(Path folder) {
    this.folder = folder;
  }

  /// The profile that `settings` name.
  ///
  /// @throws StartRefusal if there is none of that name, or its file cannot be read
  Profile load(Settings settings) {
    var wish = settings.setting(Catalogue.PROFILE);
    var file = folder.resolve(wish.text() + ENDING);
    if (!names().contains(wish.text())) {
      throw refusal(
          "profile: %s is not one of %s (%s)"
              .formatted(wish.text(), String.join(", ", names()), wish.source()));
    }
    var values = YamlFile.read(file);
    if (values.stream().anyMatch(value -> value.key().equals(Catalogue.PROFILE.name()))) {
      throw refusal("%s: a profile cannot name another".formatted(file));
    }
    var planned = values.stream().collect(partitioningBy(v -> Catalogue.planned(v.key())));
    return new Profile(
        wish.text(),
        planned.getOrDefault(false, List.of()),
        shortfalls(wish.text(), planned.getOrDefault(true, List.of())));
  }

  private static List<String> shortfalls(String name, List<Assignment> planned) {
    if (planned.isEmpty()) {
      return List.of();
    }
    return List.of(
        "profile %s also wants %s, which this version cannot do yet; the rest holds"
            .formatted(
                name, planned.stream().map(v -> v.key() + "=" + v.text()).collect(joining(", "))));
  }

  /// In alphabetical order.
  List<String> names() {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException _) {
      throw refusal("%s: no folder of profiles; is roost.home right?".formatted(folder));
    }
  }

  private static StartRefusal refusal(String message) {
    return new StartRefusal(Stage.SETTINGS, message);
  }
}
