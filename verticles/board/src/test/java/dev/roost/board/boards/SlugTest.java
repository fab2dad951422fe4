package dev.roost.board.boards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.text.Normalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlugTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Hello, world!           | hello-world",
        "  HTTP/2 in one picture | http-2-in-one-picture",
        "It's dusk               | its-dusk",
        "까치가 잠들러 가는 시간      | 까치가-잠들러-가는-시간",
        "日本語の題              | 日本語の題",
        "Ça va? Élan             | ça-va-élan",
        "!!! ???                 | post",
        "🐦                      | post"
      })
  void a_title_in_any_script_becomes_a_slug(String title, String slug) {
    assertThat(Slug.of(title)).isEqualTo(new Slug(slug));
  }

  @Test
  void the_same_title_typed_on_two_systems_becomes_the_same_slug() {
    var composed = "까치의 저녁";
    var decomposed = Normalizer.normalize(composed, Normalizer.Form.NFD);

    assertThat(decomposed).isNotEqualTo(composed);
    assertThat(Slug.of(decomposed)).isEqualTo(Slug.of(composed));
  }

  @Test
  void a_long_title_is_cut_and_a_numbered_slug_stays_within_the_bound() {
    var slug = Slug.of("a b ".repeat(100));

    assertThat(slug.text()).hasSizeLessThanOrEqualTo(Slug.CHARS_MAX).doesNotEndWith("-");
    assertThat(slug.numbered(12).text()).hasSizeLessThanOrEqualTo(Slug.CHARS_MAX).endsWith("-12");
  }

  @Test
  void letters_of_two_code_units_are_never_cut_in_half() {
    var slug = Slug.of("x" + "𠀀".repeat(100));

    assertThat(slug.text()).isEqualTo("x" + "𠀀".repeat(39));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-a", "a-", "a--b", "A", "a b", "a/b", "..", "a.b", "a\u0000", "<b>", "a%2fb"})
  void what_cannot_be_a_slug_is_not_found(String text) {
    assertThatThrownBy(() -> new Slug(text)).isInstanceOf(BoardRefusal.NotFound.class);
  }

  @Test
  void a_slug_in_a_url_is_percent_encoded() {
    assertThat(new Slug("저녁-1").encoded()).isEqualTo("%EC%A0%80%EB%85%81-1");
  }
}
