package dev.roost.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The settings file that is shipped and the catalogue say the same.
class CatalogueTest {
  private static final Path SHIPPED = Path.of("../conf/roost.yaml");
  private static final Pattern COMMENTED = Pattern.compile("# ([a-z]+[a-z.-]*: .*)");

  @TempDir private Path folder = Path.of("");

  @Test
  void the_shipped_file_sets_nothing() {
    assertThat(YamlFile.read(SHIPPED)).isEmpty();
  }

  @Test
  void it_names_each_key_in_the_order_of_the_catalogue() throws IOException {
    assertThat(uncommented())
        .extracting(Assignment::key)
        .containsExactlyElementsOf(Catalogue.keys().stream().map(Key::name).toList());
  }

  @Test
  void it_gives_each_key_its_built_in_value() throws IOException {
    assertThat(uncommented())
        .extracting(Assignment::text)
        .containsExactlyElementsOf(Catalogue.keys().stream().map(Key::builtIn).toList());
  }

  @Test
  void it_explains_each_key_above_it() throws IOException {
    var lines = Files.readAllLines(SHIPPED);
    for (int i = 0; i < lines.size(); i++) {
      if (COMMENTED.matcher(lines.get(i)).matches()) {
        assertThat(lines.get(i - 1)).as("line above %s", lines.get(i)).startsWith("# ");
      }
    }
  }

  @Test
  void no_built_in_value_is_refused() {
    var wishes = new ArrayList<Assignment>();
    Catalogue.keys()
        .forEach(k -> wishes.add(new Assignment(k.name(), k.builtIn(), Source.BUILT_IN)));
    assertThat(Settings.of(List.of(wishes)).all()).hasSameSizeAs(Catalogue.keys());
  }

  @Test
  void no_planned_key_exists_already() {
    assertThat(Catalogue.keys()).extracting(Key::name).noneMatch(Catalogue::planned);
  }

  private List<Assignment> uncommented() throws IOException {
    var yaml = new ArrayList<String>();
    for (var line : Files.readAllLines(SHIPPED)) {
      var match = COMMENTED.matcher(line);
      if (match.matches()) {
        yaml.add(match.group(1));
      }
    }
    return YamlFile.read(Files.write(folder.resolve("all.yaml"), yaml));
  }
}
