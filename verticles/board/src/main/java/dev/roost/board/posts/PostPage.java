package dev.roost.board.posts;

import java.util.List;

/// One page of a list of posts, newest first.
///
/// @param number of this page, from 1
/// @param total posts on all pages
public record PostPage(List<PostSummary> posts, int number, long total) {
  /// Posts on a full page.
  public static final int POSTS_MAX = 20;

  public PostPage {
    posts = List.copyOf(posts);
  }

  /// How many pages there are; an empty list has one, empty.
  public int pages() {
    return (int) Math.max(1, Math.ceilDiv(total, POSTS_MAX));
  }

  /// Whether the list has such a page.
  public boolean exists() {
    return number <= pages();
  }
}
