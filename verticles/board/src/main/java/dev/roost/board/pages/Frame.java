package dev.roost.board.pages;

import dev.roost.board.boards.BoardSummary;
import dev.roost.board.boards.Site;
import dev.roost.board.boards.Slug;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What every page has around its content.
///
/// @param files where the style sheet and the icon are
/// @param boards for the navigation, in the site's order
/// @param head what this one page says of itself
record Frame(Site site, StaticFiles files, List<BoardSummary> boards, Head head, Instant now) {

  /// The document's title.
  String documentTitle() {
    return head.title().equals(site.title())
        ? site.title()
        : head.title() + " \u00b7 " + site.title();
  }

  /// The page's one address; absolute once the site knows its own.
  String canonical() {
    return site.address().map(Object::toString).orElse("") + head.path();
  }

  TimeText time(Instant time) {
    return TimeText.of(time, now);
  }

  /// The name of a board in the navigation, or its slug if it was made a moment ago.
  String boardTitle(Slug slug) {
    return boards.stream()
        .filter(board -> board.slug().equals(slug))
        .map(BoardSummary::title)
        .findFirst()
        .orElse(slug.text());
  }

  boolean isAt(Slug slug) {
    return head.board().equals(Optional.of(slug));
  }

  boolean isAtPath(String path) {
    return head.path().equals(path);
  }

  /// @param title of the page
  /// @param description for search engines; empty for none
  /// @param path canonical, from `/`; empty for an error, which has none
  /// @param board that the page belongs to
  /// @param indexed whether search engines may list it
  record Head(
      String title, String description, String path, Optional<Slug> board, boolean indexed) {}
}
