package dev.roost.board.posts;

import static dev.roost.testkit.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.board.boards.Slug;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostsTest {
  @Test
  void the_newest_come_first_whatever_their_files_are_called(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Middle", "2026-11-20", "x")) {
      open.with("b.md", "Old", "2026-11-10", "x").with("c.md", "New", "2026-11-30", "x").imported();

      assertThat(await(open.posts.latest(1)).posts())
          .extracting(PostSummary::title)
          .containsExactly("New", "Middle", "Old");
    }
  }

  @Test
  void pages_hold_twenty_and_none_is_on_two(@TempDir Path folder) {
    try (var open = new OpenPosts(folder)) {
      for (int i = 10; i < 35; i++) {
        open.with(i + ".md", "Post " + i, "2026-11-30", "x");
      }
      open.imported();
      var first = await(open.posts.latest(1));
      var second = await(open.posts.latest(2));

      assertThat(first.posts()).hasSize(20).doesNotContainAnyElementsOf(second.posts());
      assertThat(second.posts()).hasSize(5);
      assertThat(second.pages()).isEqualTo(2);
      assertThat(await(open.posts.latest(3)).exists()).isFalse();
    }
  }

  @Test
  void a_board_lists_its_own_posts_only(@TempDir Path folder) {
    var other = "---\ntitle: Other\nboard: other\ndate: 2026-11-30\n---\nx";
    try (var open = new OpenPosts(folder).with("a.md", "Mine", "2026-11-20", "x")) {
      open.withFile("b.md", other).imported();

      assertThat(await(open.posts.ofBoard(new Slug("news"), 1)).posts())
          .extracting(PostSummary::title)
          .containsExactly("Mine");
      assertThat(await(open.posts.ofBoard(new Slug("none"), 1)).total()).isZero();
    }
  }

  @Test
  void a_slug_that_looks_like_sql_finds_nothing(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Mine", "2026-11-20", "x")) {
      open.imported();

      assertThat(await(open.posts.find(new Slug("mine-or-1")))).isEmpty();
    }
  }
}
