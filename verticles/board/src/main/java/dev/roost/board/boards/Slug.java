package dev.roost.board.boards;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/// The readable part of an address: letters and digits of any script in lower case, parted by
/// single hyphens, 1 to [#CHARS_MAX] characters.
public record Slug(String text) {
  /// Longest slug, in UTF-16 characters; nine bytes each at most once percent-encoded.
  public static final int CHARS_MAX = 80;

  /// What a slug may be, for messages.
  public static final String ALLOWED =
      "words of lower-case letters and digits joined by hyphens, at most 80 characters";

  private static final Pattern WORDS =
      Pattern.compile("[\\p{L}\\p{M}\\p{N}]+(-[\\p{L}\\p{M}\\p{N}]+)*");
  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");
  private static final Pattern APOSTROPHES = Pattern.compile("['\u2019]");

  /// @throws BoardRefusal.NotFound if nothing can have that slug
  public Slug {
    if (!isSlug(text)) {
      throw new BoardRefusal.NotFound("page", "that");
    }
  }

  /// Whether `text` can be a slug.
  public static boolean isSlug(String text) {
    return text.length() <= CHARS_MAX && WORDS.matcher(text).matches() && text.equals(folded(text));
  }

  /// Makes a slug of a title in any script; a title without letters and digits becomes `post`.
  public static Slug of(String title) {
    var plain = APOSTROPHES.matcher(folded(title)).replaceAll("");
    var words = BETWEEN_WORDS.matcher(plain).replaceAll("-");
    return new Slug(trimmed(words, CHARS_MAX));
  }

  /// The same slug with a number behind it, for the second and later things of one name.
  ///
  /// @param number 2 or more
  public Slug numbered(int number) {
    var suffix = "-" + number;
    return new Slug(trimmed(text, CHARS_MAX - suffix.length()) + suffix);
  }

  /// As it stands in a URL: percent-encoded UTF-8.
  public String encoded() {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return text;
  }

  private static String folded(String text) {
    var composed = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(composed, Normalizer.Form.NFC);
  }

  /// Cuts at a whole code point and leaves no hyphen at either end.
  private static String trimmed(String words, int charsMax) {
    var from = words.startsWith("-") ? 1 : 0;
    var end = Math.min(words.length(), from + charsMax);
    if (end < words.length() && Character.isHighSurrogate(words.charAt(end - 1))) {
      end--;
    }
    while (end > from && words.charAt(end - 1) == '-') {
      end--;
    }
    return end == from ? "post" : words.substring(from, end);
  }
}
