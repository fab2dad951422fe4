package dev.roost.board.posts;

import java.util.List;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.LineBreakRendering;
import org.commonmark.renderer.text.TextContentRenderer;

/// Turns Markdown into HTML that is safe to show: CommonMark with tables, strikethrough, bare links
/// and heading anchors; HTML in it is kept as far as [HtmlAllowList] allows. Takes milliseconds to
/// tens of them: off the event loop, once, and the result is stored. Thread-safe.
final class Markdown {
  /// Largest text, in UTF-16 characters; also the largest in bytes that a file may be.
  static final int CHARS_MAX = 64 * 1024;

  /// Most `<` in a text. The parser is quadratic in them: 10,000 take 0.4 s, these a few
  /// milliseconds (facts on Markdown, 2026-11-30).
  static final int LESS_THAN_MAX = 1_000;

  /// Raised whenever the same Markdown renders to something else, so that stored HTML is renewed.
  static final int VERSION = 1;

  /// Deepest nesting of quotes and lists. Without it 20,000 `>` overflow the stack.
  private static final int OPEN_BLOCKS_MAX = 64;

  private static final List<Extension> EXTENSIONS =
      List.of(
          TablesExtension.create(),
          StrikethroughExtension.create(),
          AutolinkExtension.create(),
          // The prefix keeps an author's headings off the ids of the page around the post.
          HeadingAnchorExtension.builder().idPrefix("s-").build());

  private static final Parser PARSER =
      Parser.builder().extensions(EXTENSIONS).maxOpenBlockParsers(OPEN_BLOCKS_MAX).build();
  private static final HtmlRenderer HTML =
      HtmlRenderer.builder().extensions(EXTENSIONS).sanitizeUrls(true).build();
  private static final TextContentRenderer TEXT =
      TextContentRenderer.builder()
          .extensions(List.of(TablesExtension.create(), StrikethroughExtension.create()))
          .lineBreakRendering(LineBreakRendering.STRIP)
          .build();

  private static final Pattern EMPTY_HEADER = Pattern.compile("<th( align=\"[a-z]+\")?>\\s*</th>");

  private Markdown() {}

  /// Renders `text`.
  ///
  /// @throws TooMuch if it is beyond one of the bounds
  static Rendered render(String text) {
    if (text.length() > CHARS_MAX) {
      throw new TooMuch("the text has more than %d characters".formatted(CHARS_MAX));
    }
    if (text.chars().filter(c -> c == '<').count() > LESS_THAN_MAX) {
      throw new TooMuch("the text has more than %d times the sign <".formatted(LESS_THAN_MAX));
    }
    var document = PARSER.parse(text);
    document.accept(new BelowTitle());
    var html = HtmlAllowList.clean(HTML.render(document));
    return new Rendered(reachable(html), summary(document), Language.of(text));
  }

  /// Wide tables and code scroll sideways on their own, which a keyboard must reach too; a table's
  /// empty corner is no header. Tags are the only place for a `<` in sanitised HTML, so replacing
  /// text is exact.
  private static String reachable(String html) {
    return EMPTY_HEADER
        .matcher(html)
        .replaceAll("<td$1></td>")
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>");
  }

  private static String summary(Node document) {
    for (var node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Paragraph) {
        return shortened(TEXT.render(node).strip());
      }
    }
    return "";
  }

  private static String shortened(String text) {
    if (text.length() <= Rendered.SUMMARY_CHARS_MAX) {
      return text;
    }
    var end = text.lastIndexOf(' ', Rendered.SUMMARY_CHARS_MAX - 2);
    // A script without spaces, or one endless word: anywhere between two characters will do.
    if (end < Rendered.SUMMARY_CHARS_MAX / 2) {
      end = Rendered.SUMMARY_CHARS_MAX - 2;
      end -= Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
    }
    return text.substring(0, end).stripTrailing() + "\u2026";
  }

  /// The title of the post is the page's first heading: those of the text start at the second.
  private static final class BelowTitle extends AbstractVisitor {
    @Override
    public void visit(Heading heading) {
      heading.setLevel(Math.clamp(heading.getLevel(), 2, 6));
      visitChildren(heading);
    }
  }

  /// The text is beyond a bound. The message says which.
  static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooMuch(String message) {
      super(message, null, false, false);
    }
  }
}
