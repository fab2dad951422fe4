package dev.roost.board.posts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "<a href=\"jav&#x09;ascript:alert(1)\">x</a>",
        "<svg><script>alert(1)</script></svg>",
        "<math><mtext><table><mglyph><style><!--</style>"
            + "<img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "![x](data:text/html;base64,PHNjcmlwdD4=)",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<form><button formaction=javascript:alert(1)>",
        "<p style=\"background:url(//evil.example)\" onclick=alert(1) id=content>x</p>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "![x](https://evil.example/pixel.png) ![x](//evil.example/pixel.png)",
        "![x](/\\evil.example/pixel.png)",
        "<base href=https://evil.example><meta http-equiv=refresh content=0>"
      })
  void nothing_that_runs_or_phones_home_is_left(String attack) {
    var html = Markdown.render(attack).html();

    assertThat(html)
        .doesNotContainPattern("(?i)<(script|style|svg|math|iframe|form|button|base|meta|noscript)")
        .doesNotContainPattern("(?i)<[^>]*\\s(on\\w+|style|srcdoc|formaction)\\s*=")
        .doesNotContainPattern("(?i)(href|src)\\s*=\\s*\"?\\s*(javascript|data|jav)")
        .doesNotContainPattern("<img[^>]+src=\"(https?:|//|/\\\\)")
        .doesNotContain("id=\"content\"");
  }

  @Test
  void links_that_leave_the_site_vouch_for_nothing() {
    var html = Markdown.render("[out](https://a.example/b) https://c.example [in](/post/x)").html();

    assertThat(html)
        .contains("<a href=\"https://a.example/b\" rel=\"nofollow\">out</a>")
        .contains("<a href=\"https://c.example\" rel=\"nofollow\">https://c.example</a>")
        .contains("<a href=\"/post/x\">in</a>");
  }

  @Test
  void an_author_cannot_take_back_the_nofollow() {
    var html = Markdown.render("<a rel=\"follow\" target=_blank href=\"//a.example\">x</a>").html();

    assertThat(html).contains("rel=\"nofollow\"").doesNotContain("target", "\"follow\"");
  }

  @Test
  void the_dialect_has_tables_deletions_code_and_headings_with_anchors() {
    var text = "# Über 한국어\n\n|a|b|\n|-|:-:|\n|~~1~~|2|\n\n```java\nint x = 1 < 2;\n```\n";

    assertThat(Markdown.render(text).html())
        .contains("<h2 id=\"s-über-한국어\">Über 한국어</h2>")
        .contains("<div class=\"wide\" tabindex=\"0\"><table>", "</table></div>")
        .contains("<th align=\"center\">b</th>", "<td><del>1</del></td>")
        .contains("<pre tabindex=\"0\"><code class=\"language-java\">int x &#61; 1 &lt; 2;");
  }

  @Test
  void the_empty_corner_of_a_table_is_no_header() {
    var html = Markdown.render("|  | b |\n|:-:|---|\n| a | 1 |\n").html();

    assertThat(html).contains("<td align=\"center\"></td>", "<th>b</th>");
    assertThat(html).doesNotContainPattern("<th[^>]*>\\s*</th>");
  }

  @Test
  void the_summary_is_the_first_paragraph_in_plain_text_cut_at_a_word() {
    var rendered = Markdown.render("## Not this\n\nSome *words* and `code`. " + "more ".repeat(99));

    assertThat(rendered.summary())
        .startsWith("Some words and \"code\". more more")
        .endsWith("more…")
        .hasSizeLessThanOrEqualTo(Rendered.SUMMARY_CHARS_MAX);
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void a_text_made_to_be_slow_is_rendered_or_refused_in_time(String bomb) {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(15),
        () -> {
          try {
            assertThat(Markdown.render(bomb).html()).isNotNull();
          } catch (Markdown.TooMuch refused) {
            assertThat(refused).hasMessageContaining("more than");
          }
        });
  }

  static Stream<String> bombs() {
    var max = Markdown.CHARS_MAX;
    return Stream.of(
        ">".repeat(20_000) + "a",
        "[".repeat(50_000),
        "[a](".repeat(max / 4),
        "![".repeat(max / 2),
        "*a ".repeat(max / 3),
        "**a_".repeat(max / 4),
        "|".repeat(max),
        "<".repeat(max),
        "<!--".repeat(max / 4),
        "<?".repeat(max / 2),
        "<b>".repeat(Markdown.LESS_THAN_MAX),
        IntStream.range(0, 300).mapToObj(i -> " ".repeat(i) + "- x\n").reduce("", String::concat),
        IntStream.range(1, 350).mapToObj(i -> "`".repeat(i) + " ").reduce("", String::concat));
  }

  @Test
  void too_large_a_text_is_refused_with_the_bound() {
    assertThatThrownBy(() -> Markdown.render("x".repeat(Markdown.CHARS_MAX + 1)))
        .isInstanceOf(Markdown.TooMuch.class)
        .hasMessage("the text has more than 65536 characters");
  }
}
