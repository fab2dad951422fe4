package dev.roost.board.boards;

/// A board to be made.
///
/// @param description one line about it; empty for none
public record BoardEntry(Slug slug, String title, String description) {

  /// A board of which only the slug is known: `running-a-site` becomes "Running a site".
  public static BoardEntry named(Slug slug) {
    var words = slug.text().replace('-', ' ');
    var rest = words.substring(words.offsetByCodePoints(0, 1));
    var first = Character.toString(Character.toTitleCase(words.codePointAt(0)));
    return new BoardEntry(slug, first + rest, "");
  }
}
