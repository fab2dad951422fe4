package dev.roost.board.posts;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;

/// Which language a text most likely is in, told by its letters: enough for a screen reader's voice
/// and for line breaking. Latin letters count as English.
final class Language {
  private Language() {}

  static String of(String text) {
    var letters = new EnumMap<UnicodeScript, Integer>(UnicodeScript.class);
    text.codePoints()
        .filter(Character::isLetter)
        .forEach(letter -> letters.merge(UnicodeScript.of(letter), 1, Integer::sum));
    var latin = letters.getOrDefault(UnicodeScript.LATIN, 0);
    var hangul = letters.getOrDefault(UnicodeScript.HANGUL, 0);
    var han = letters.getOrDefault(UnicodeScript.HAN, 0);
    var kana =
        letters.getOrDefault(UnicodeScript.HIRAGANA, 0)
            + letters.getOrDefault(UnicodeScript.KATAKANA, 0);
    // One such letter says as much as two or three Latin ones, and code is Latin everywhere.
    if (2 * (hangul + kana + han) <= latin) {
      return "en";
    }
    if (hangul >= kana + han) {
      return "ko";
    }
    return kana > 0 ? "ja" : "zh";
  }
}
