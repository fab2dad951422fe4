package dev.roost.launcher.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.launcher.config.Assignment;
import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Source;
import dev.roost.server.settings.ParkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
  private static final Home SHIPPED = new Home(Path.of(".."));

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void a_home_with_a_profile() throws IOException {
    Files.createDirectories(folder.resolve("conf/profiles"));
    Files.writeString(folder.resolve("conf/profiles/default.yaml"), "# nothing\n");
    Files.writeString(folder.resolve("conf/profiles/two.yaml"), "instances: 2\n");
  }

  @Test
  void what_nobody_sets_is_built_in() {
    assertThat(holds(Map.of())).isEqualTo("auto, built in");
  }

  @Test
  void a_profile_wins_over_what_is_built_in() {
    assertThat(holds(Map.of(), option("profile", "two"))).startsWith("2, ").endsWith("two.yaml:1");
  }

  @Test
  void the_file_wins_over_the_profile() throws IOException {
    file("profile: two\ninstances: 3\n");
    assertThat(holds(Map.of())).startsWith("3, ").endsWith("roost.yaml:2");
  }

  @Test
  void the_environment_wins_over_the_file() throws IOException {
    file("instances: 3\n");
    assertThat(holds(Map.of("ROOST_INSTANCES", "4"))).isEqualTo("4, variable ROOST_INSTANCES");
  }

  @Test
  void the_command_line_wins_over_the_environment() {
    assertThat(holds(Map.of("ROOST_INSTANCES", "4"), option("instances", "5")))
        .isEqualTo("5, option --set");
  }

  @Test
  void a_profile_named_by_a_variable_wins_over_the_one_of_the_file() throws IOException {
    file("profile: nope\n");
    assertThat(holds(Map.of("ROOST_PROFILE", "two"))).startsWith("2, ");
  }

  @Test
  void a_value_that_is_overruled_must_be_right_all_the_same() throws IOException {
    file("instances: many\n");
    assertThatThrownBy(() -> holds(Map.of("ROOST_INSTANCES", "4")))
        .hasMessageStartingWith("instances: many is not auto");
  }

  @Test
  void an_unknown_profile_is_refused_with_the_known_ones() {
    assertThatThrownBy(() -> holds(Map.of("ROOST_PROFILE", "fast")))
        .hasMessage("profile: fast is not one of default, two (variable ROOST_PROFILE)");
  }

  @Test
  void a_profile_cannot_name_another() throws IOException {
    Files.writeString(folder.resolve("conf/profiles/two.yaml"), "profile: default\n");
    assertThatThrownBy(() -> holds(Map.of("ROOST_PROFILE", "two")))
        .hasMessageEndingWith("two.yaml: a profile cannot name another");
  }

  @Test
  void a_profile_with_a_misspelt_key_is_refused() throws IOException {
    Files.writeString(folder.resolve("conf/profiles/two.yaml"), "instance: 2\n");
    assertThatThrownBy(() -> holds(Map.of("ROOST_PROFILE", "two")))
        .hasMessageContaining("instance: no such key; did you mean instances? (");
  }

  @Test
  void every_shipped_profile_can_be_used_and_says_what_it_lacks() {
    assertThat(shortfalls("default")).isEmpty();
    assertThat(shortfalls("performance")).isEmpty();
    assertThat(shortfalls("lowmem")).isEmpty();
    assertThat(shortfalls("lowlat")).isEmpty();
  }

  @Test
  void lowmem_serves_from_two_event_loops_and_parks_lean() {
    var settings = read(SHIPPED, Map.of("ROOST_PROFILE", "lowmem"), List.of()).settings();
    assertThat(settings.value(Catalogue.INSTANCES)).isEqualTo(2);
    assertThat(settings.value(Catalogue.TLS_PARK)).isEqualTo(ParkSettings.Kind.LEAN);
  }

  @Test
  void every_shipped_profile_has_its_jvm_options() {
    assertThat(new Profiles(SHIPPED.profiles()).names())
        .allMatch(name -> Files.exists(Path.of("../conf/jvm/" + name + ".options")));
  }

  private static List<String> shortfalls(String profile) {
    return read(SHIPPED, Map.of("ROOST_PROFILE", profile), List.of()).shortfalls();
  }

  private String holds(Map<String, String> variables, Assignment... options) {
    var settings = read(new Home(folder), variables, List.of(options)).settings();
    var setting = settings.setting(Catalogue.INSTANCES);
    return setting.text() + ", " + setting.source();
  }

  private static Configuration read(
      Home home, Map<String, String> variables, List<Assignment> options) {
    return Configuration.read(new Configuration.Places(home, Optional.empty(), variables, options));
  }

  private static Assignment option(String key, String text) {
    return new Assignment(key, text, Source.option("--set"));
  }

  private void file(String yaml) throws IOException {
    Files.writeString(folder.resolve("conf/roost.yaml"), yaml);
  }
}
