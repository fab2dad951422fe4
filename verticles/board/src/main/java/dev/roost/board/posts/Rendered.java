package dev.roost.board.posts;

/// What became of a Markdown text.
///
/// @param html sanitised, safe to write into a page as it is
/// @param summary the first paragraph in plain text, at most [#SUMMARY_CHARS_MAX] characters
/// @param language BCP 47 tag of what most letters belong to: `ko`, `ja`, `zh` or `en`
record Rendered(String html, String summary, String language) {
  /// Longest summary, in UTF-16 characters.
  static final int SUMMARY_CHARS_MAX = 180;
}
