package dev.roost.board.posts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "A quiet branch                          | en",
        "조용한 가지                                | ko",
        "조용한 가지에 `sqlite3 backup` 이라고 쓴다 | ko",
        "A word such as 가지 in between           | en",
        "静かな枝                                 | ja",
        "安静的树枝                               | zh",
        "1234 !?                                  | en"
      })
  void most_letters_decide(String text, String language) {
    assertThat(Language.of(text)).isEqualTo(language);
  }
}
