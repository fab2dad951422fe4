package dev.roost.board.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.board.ServedBoard;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The contrasts that the look promises, computed from the style sheet itself.
class StyleSheetTest {
  private static final Pattern PALETTE = Pattern.compile("--paper: oklch[^}]*");
  private static final Pattern TOKEN =
      Pattern.compile("--([a-z]+): oklch\\(([0-9.]+) ([0-9.]+) ([0-9.]+)\\)");

  static Stream<Map<String, Oklch>> palettes() throws IOException {
    var palettes = new ArrayList<Map<String, Oklch>>();
    var block = PALETTE.matcher(sheet());
    while (block.find()) {
      var tokens = new HashMap<String, Oklch>();
      TOKEN.matcher(block.group()).results().forEach(t -> tokens.put(t.group(1), Oklch.of(t)));
      palettes.add(tokens);
    }
    return palettes.stream();
  }

  @Test
  void there_is_a_light_and_a_dark_palette() throws IOException {
    var papers = palettes().map(palette -> token(palette, "paper").luminance()).toList();

    assertThat(papers).hasSize(2);
    assertThat(papers.get(0)).isGreaterThan(0.9);
    assertThat(papers.get(1)).isLessThan(0.05);
  }

  @ParameterizedTest
  @MethodSource("palettes")
  void every_colour_stands_out_as_far_as_it_must(Map<String, Oklch> palette) {
    for (var ground : List.of("paper", "raised")) {
      assertThat(contrast(palette, "ink", ground)).as("ink on " + ground).isGreaterThan(7);
      for (var text : List.of("muted", "accent", "danger")) {
        assertThat(contrast(palette, text, ground)).as(text + " on " + ground).isGreaterThan(4.5);
      }
    }
    assertThat(contrast(palette, "control", "paper")).as("control on paper").isGreaterThan(3);
  }

  @Test
  void white_on_black_is_twenty_one_to_one() {
    assertThat(new Oklch(1, 0, 0).contrast(new Oklch(0, 0, 0))).isBetween(20.9, 21.1);
  }

  @Test
  void nothing_is_fetched_and_nothing_moves() throws IOException {
    assertThat(sheet()).doesNotContain("url(", "@import", "animation", "transition", "gradient");
  }

  private static double contrast(Map<String, Oklch> palette, String text, String ground) {
    return token(palette, text).contrast(token(palette, ground));
  }

  private static Oklch token(Map<String, Oklch> palette, String name) {
    return Objects.requireNonNull(palette.get(name), name);
  }

  private static String sheet() throws IOException {
    return Files.readString(ServedBoard.ROOT.resolve("webroot/roost.css"));
  }
}
