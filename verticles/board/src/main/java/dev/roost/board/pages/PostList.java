package dev.roost.board.pages;

import dev.roost.board.posts.PostPage;

/// A list of posts under a heading.
///
/// @param heading what the list is of
/// @param note one line beneath it; empty for none
/// @param path of the first page
/// @param namesBoards whether each post says which board it is in
record PostList(String heading, String note, String path, PostPage page, boolean namesBoards) {

  /// The address of page `number`; the first has none behind it.
  String address(int number) {
    return number == 1 ? path : path + "?page=" + number;
  }

  boolean hasNewer() {
    return page.number() > 1;
  }

  boolean hasOlder() {
    return page.number() < page.pages();
  }
}
