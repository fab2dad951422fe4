package dev.roost.board.posts;

import dev.roost.board.boards.Slug;
import java.util.List;

/// A whole post.
///
/// @param html the body: rendered and sanitised, safe to write into a page as it is
/// @param tags in the author's order
public record Post(PostSummary summary, String html, List<Slug> tags) {
  public Post {
    tags = List.copyOf(tags);
  }
}
