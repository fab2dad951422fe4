package dev.roost.board.posts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.board.boards.MalformedYaml;
import dev.roost.board.boards.Slug;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostFileTest {
  @Test
  void front_matter_and_text_are_told_apart() {
    var text =
        """
        ---
        title: Hello
        board: news
        tags: [a, 새]
        date: 2026-11-30
        ---

        One.

        ---

        Two.
        """;

    var post = PostFile.parse("a.md", text);

    assertThat(post.title()).isEqualTo("Hello");
    assertThat(post.board()).isEqualTo(new Slug("news"));
    assertThat(post.tags()).containsExactly(new Slug("a"), new Slug("새"));
    assertThat(post.published()).isEqualTo(Instant.parse("2026-11-30T00:00:00Z"));
    assertThat(post.markdown()).isEqualTo("One.\n\n---\n\nTwo.");
  }

  @Test
  void a_file_from_windows_is_read_the_same() {
    var post =
        PostFile.parse("a.md", "---\r\ntitle: T\r\nboard: b\r\ndate: 2026-01-02\r\n---\r\nx\r\ny");

    assertThat(post.title()).isEqualTo("T");
    assertThat(post.markdown()).isEqualTo("x\ny");
  }

  @Test
  void a_time_with_an_offset_is_that_instant() {
    var post = PostFile.parse("a.md", matter("date: 2026-11-30T18:05:00+09:00"));

    assertThat(post.published()).isEqualTo(Instant.parse("2026-11-30T09:05:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "date: yesterday         | a.md:4: date must be a day as 2026-11-30, or a time as",
        "date: 2026-02-30        | a.md:4: date must be",
        "date: 20261130          | a.md:4: date must be a text",
        "datum: 2026-11-30       | a.md:4: datum is not known here; allowed: board, date, tags",
        "tags: one               | a.md:4: tags must be a list, such as",
        "tags: [A]               | a.md:4: tags must be words of lower-case letters",
        "tags: [a, a]            | a.md:4: tags must be a list of at most 8 tags, none twice",
        "title: again            | a.md:4: title stands there twice",
        "tags: [a                | a.md:",
        "draft: true             | a.md:4: draft is not known here"
      })
  void a_mistake_is_named_with_file_line_and_what_is_allowed(String line, String message) {
    assertThatThrownBy(() -> PostFile.parse("a.md", matter(line)))
        .isInstanceOf(MalformedYaml.class)
        .hasMessageStartingWith(message)
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'hello', a.md:1: the file must start with a line of ---",
    "'', a.md:1: the file must start with a line of ---",
    "'---\ntitle: x\n', a.md:1: the front matter has no end",
    "'---\n---\nx', a.md:2: title is missing"
  })
  void a_file_without_front_matter_is_refused(String text, String message) {
    assertThatThrownBy(() -> PostFile.parse("a.md", text))
        .isInstanceOf(MalformedYaml.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void a_bomb_of_aliases_is_refused() {
    var bomb = "tags: &a [x, x]\nx: [*a, *a]\ny: *a";

    assertThatThrownBy(() -> PostFile.parse("a.md", matter(bomb)))
        .isInstanceOf(MalformedYaml.class);
  }

  private static String matter(String line) {
    return "---\ntitle: Hello\nboard: news\n" + line + "\n---\ntext\n";
  }
}
