package dev.roost.board.posts;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.PolicyFactory;

/// The elements and attributes that text by strangers may use; everything else is taken out. The
/// last step before HTML is stored. Thread-safe.
final class HtmlAllowList {
  private static final Pattern ID = Pattern.compile("s-[\\p{L}\\p{M}\\p{N}_-]{1,100}");
  private static final Pattern LANGUAGE_CLASS = Pattern.compile("language-[A-Za-z0-9+#_.-]{1,30}");
  private static final Pattern ALIGN = Pattern.compile("left|right|center");
  private static final Pattern LIST_START = Pattern.compile("[0-9]{1,9}");

  /// Pictures come from this site only: one from elsewhere would tell that site who reads here.
  private static final Pattern OWN_PATH = Pattern.compile("/(?![/\\\\]).*");

  private static final PolicyFactory POLICY =
      new HtmlPolicyBuilder()
          .allowElements(
              "p",
              "h2",
              "h3",
              "h4",
              "h5",
              "h6",
              "em",
              "strong",
              "b",
              "i",
              "del",
              "code",
              "pre",
              "ul",
              "ol",
              "li",
              "blockquote",
              "hr",
              "br",
              "kbd",
              "sub",
              "sup",
              "mark",
              "table",
              "thead",
              "tbody",
              "tr",
              "th",
              "td",
              "img")
          .allowElements(HtmlAllowList::link, "a")
          .allowUrlProtocols("http", "https", "mailto")
          .allowAttributes("href", "title")
          .onElements("a")
          .allowAttributes("src")
          .matching(OWN_PATH)
          .onElements("img")
          .allowAttributes("alt", "title")
          .onElements("img")
          .allowAttributes("id")
          .matching(ID)
          .onElements("h2", "h3", "h4", "h5", "h6")
          .allowAttributes("class")
          .matching(LANGUAGE_CLASS)
          .onElements("code")
          .allowAttributes("align")
          .matching(ALIGN)
          .onElements("th", "td")
          .allowAttributes("start")
          .matching(LIST_START)
          .onElements("ol")
          .toFactory();

  private HtmlAllowList() {}

  static String clean(String html) {
    return POLICY.sanitize(html);
  }

  /// Sends no reputation to other sites: what strangers link to is not what we vouch for.
  private static String link(String name, List<String> attributes) {
    // Names and values alternate.
    for (int i = 0; i + 1 < attributes.size(); i += 2) {
      if (attributes.get(i).equals("href") && leavesThisSite(attributes.get(i + 1))) {
        attributes.addAll(List.of("rel", "nofollow"));
        return name;
      }
    }
    return name;
  }

  private static boolean leavesThisSite(String href) {
    var target = href.strip().toLowerCase(Locale.ROOT).replace('\\', '/');
    return target.startsWith("http:") || target.startsWith("https:") || target.startsWith("//");
  }
}
