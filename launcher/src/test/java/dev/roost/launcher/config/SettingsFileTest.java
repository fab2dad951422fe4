package dev.roost.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.StartRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void keys_may_be_nested_or_dotted() throws IOException {
    var settings = settings("server:\n  port: 1\nhttp.header-size: 16KiB\n");
    assertThat(settings.value(Catalogue.SERVER_PORT)).isEqualTo(1);
    assertThat(settings.value(Catalogue.HTTP_HEADER_SIZE)).isEqualTo(16_384);
  }

  @Test
  void a_value_remembers_its_line() throws IOException {
    var settings = settings("\n\nserver:\n  port: 1\n");
    assertThat(settings.setting(Catalogue.SERVER_PORT).source()).hasToString(file() + ":4");
  }

  @Test
  void a_section_whose_keys_are_all_comments_sets_nothing() throws IOException {
    assertThat(settings("server:\n  # port: 1\n").value(Catalogue.SERVER_PORT)).isEqualTo(9_443);
  }

  @Test
  void an_empty_file_sets_nothing() throws IOException {
    assertThat(settings("").all()).allMatch(Setting::isBuiltIn);
  }

  @Test
  void broken_yaml_is_refused_with_its_line() {
    refuses("server:\n\tport: 1\n", ":2: not valid YAML: found character '\\t(TAB)'");
  }

  @Test
  void an_unknown_key_is_refused_with_the_nearest_one() {
    refuses("server:\n  prot: 1\n", "server.prot: no such key; did you mean server.port? (");
  }

  /// The loop cannot be told it; docs/guides/routes.md says what takes its place.
  @Test
  void how_many_tasks_a_turn_takes_is_no_key() {
    refuses("reactor.drain-chunk: 8\n", "reactor.drain-chunk: no such key");
  }

  @Test
  void a_key_without_its_section_is_recognised() {
    refuses("header-size: 1\n", "header-size: no such key; did you mean http.header-size? (");
  }

  @Test
  void a_key_set_twice_is_refused_with_both_lines() {
    refuses(
        "server:\n  port: 1\nserver.port: 2\n",
        "server.port: set twice, by %1$s:2 and by %1$s:3".formatted(file()));
  }

  @Test
  void a_key_without_a_value_is_refused() {
    refuses("server.port:\n", ":1: server.port has no value");
  }

  @Test
  void a_list_where_one_value_is_wanted_is_refused() {
    refuses("server.port: [1, 2]\n", ":1: server.port must be a single value");
  }

  @Test
  void a_file_that_is_no_mapping_is_refused() {
    refuses("server.port\n", ":1: \"key: value\" expected");
  }

  @Test
  void an_alias_that_contains_itself_is_refused() {
    refuses("a: &x\n  b: *x\n", "must be a single value");
  }

  @Test
  void a_missing_file_is_refused() {
    assertThatThrownBy(() -> YamlFile.read(file()))
        .isInstanceOf(StartRefusal.class)
        .hasMessage(file() + ": no such file");
  }

  @Test
  void bytes_that_are_no_text_are_refused() throws IOException {
    Files.write(file(), "board.site: ä".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> YamlFile.read(file())).hasMessage(file() + ": not UTF-8 text");
  }

  private Settings settings(String yaml) throws IOException {
    Files.writeString(file(), yaml);
    return Settings.of(List.of(YamlFile.read(file())));
  }

  private void refuses(String yaml, String message) {
    assertThatThrownBy(() -> settings(yaml))
        .isInstanceOfSatisfying(
            StartRefusal.class,
            refusal -> assertThat(refusal.stage()).isEqualTo(StartRefusal.Stage.SETTINGS))
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  private Path file() {
    return folder.resolve("roost.yaml");
  }
}
