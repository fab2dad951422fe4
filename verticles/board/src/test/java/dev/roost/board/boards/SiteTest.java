package dev.roost.board.boards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.StartRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteTest {
  @Test
  void a_settings_file_names_the_site_and_its_boards(@TempDir Path folder) throws IOException {
    var text =
        """
        title: Dusk
        address: https://dusk.example:8443
        boards:
          - {slug: birds, title: Birds, description: On lines.}
          - {slug: 한국어, title: 한국어}
        """;

    var site = Site.read(Files.writeString(folder.resolve("board.yaml"), text));

    assertThat(site.title()).isEqualTo("Dusk");
    assertThat(site.address()).hasToString("Optional[https://dusk.example:8443]");
    assertThat(site.boards())
        .containsExactly(
            new BoardEntry(new Slug("birds"), "Birds", "On lines."),
            new BoardEntry(new Slug("한국어"), "한국어", ""));
  }

  @Test
  void the_settings_file_that_ships_is_right() {
    var site = Site.read(Path.of("../../conf/board.yaml"));

    assertThat(site.boards()).hasSizeGreaterThan(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "titel: x                          | board.yaml:1: titel is not known here; allowed: ",
        "title: 404                        | board.yaml:1: title must be a text; put it in",
        "subtitle: x                       | board.yaml:1: title is missing",
        "title: [a                         | board.yaml:",
        "just words                        | board.yaml:1: lines of `key: value` are expected",
        "{title: x, title: y}              | board.yaml:1: title stands there twice",
        "{title: x, boards: y}             | board.yaml:1: boards must be a list",
        "{title: x, address: 'ftp://x'}    | board.yaml:1: address must be https://host",
        "{title: x, boards: [{slug: A B}]} | board.yaml:1: slug must be words of lower-case"
      })
  void a_mistake_is_named_with_its_line_and_what_is_allowed(
      String text, String message, @TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("board.yaml"), text);

    assertThatThrownBy(() -> Site.read(file))
        .isInstanceOf(StartRefusal.class)
        .hasMessageContaining(message)
        .message()
        .hasLineCount(1);
  }

  @Test
  void a_missing_settings_file_is_named(@TempDir Path folder) {
    assertThatThrownBy(() -> Site.read(folder.resolve("board.yaml")))
        .isInstanceOf(StartRefusal.class)
        .hasMessageContaining("board.yaml: cannot be read");
  }
}
