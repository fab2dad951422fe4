package dev.roost.board.posts;

import static dev.roost.testkit.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.board.boards.BoardSummary;
import dev.roost.board.boards.Slug;
import dev.roost.server.settings.StartRefusal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostImportTest {
  @Test
  void a_file_becomes_a_post_and_its_board_is_made(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Hello", "2026-11-30", "Some *text*.")) {
      assertThat(open.imported()).isEqualTo("posts: 1 imported, 0 unchanged, 0 skipped");

      var post = await(open.posts.find(new Slug("hello"))).orElseThrow();
      assertThat(post.html()).isEqualTo("<p>Some <em>text</em>.</p>\n");
      assertThat(post.summary().summary()).isEqualTo("Some text.");
      assertThat(await(open.boards.all()))
          .containsExactly(new BoardSummary(new Slug("news"), "News", "", 1));
    }
  }

  @Test
  void the_second_start_changes_nothing(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Hello", "2026-11-30", "x")) {
      open.imported();

      assertThat(open.imported()).isEqualTo("posts: 0 imported, 1 unchanged, 0 skipped");
      assertThat(await(open.posts.latest(1)).total()).isEqualTo(1);
    }
  }

  @Test
  void a_changed_file_changes_its_post_which_keeps_its_address(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Hello", "2026-11-30", "before")) {
      open.imported();
      open.with("a.md", "Goodbye", "2026-11-29", "after").imported();

      var post = await(open.posts.find(new Slug("hello"))).orElseThrow();
      assertThat(post.summary().title()).isEqualTo("Goodbye");
      assertThat(post.html()).contains("after");
      assertThat(await(open.posts.latest(1)).total()).isEqualTo(1);
    }
  }

  @Test
  void two_posts_of_one_title_get_addresses_of_their_own(@TempDir Path folder) {
    try (var open = new OpenPosts(folder)) {
      open.with("a.md", "새 소식", "2026-11-30", "one").with("b.md", "새 소식", "2026-11-30", "two");
      open.with("c.md", "새! 소식!", "2026-11-30", "three").imported();

      assertThat(await(open.posts.find(new Slug("새-소식")))).isPresent();
      assertThat(await(open.posts.find(new Slug("새-소식-2")))).isPresent();
      assertThat(await(open.posts.find(new Slug("새-소식-3")))).isPresent();
    }
  }

  @Test
  void a_malformed_file_is_skipped_and_the_others_are_served(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("b.md", "Good", "2026-11-30", "x")) {
      open.withFile("a.md", "---\ntitel: x\n---\n");
      open.withFile("c.md", "---\ntitle: x\nboard: b\ndate: 2026-11-30\n---\n" + "<".repeat(2_000));
      open.withFile("d.md", "x".repeat(Markdown.CHARS_MAX + 1));

      assertThat(open.imported()).isEqualTo("posts: 1 imported, 0 unchanged, 3 skipped");
      assertThat(await(open.posts.find(new Slug("good")))).isPresent();
    }
  }

  @Test
  void a_file_that_was_broken_after_its_import_leaves_its_post(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Good", "2026-11-30", "x")) {
      open.imported();
      open.withFile("a.md", "---\nbroken");

      assertThat(open.imported()).isEqualTo("posts: 0 imported, 0 unchanged, 1 skipped");
      assertThat(await(open.posts.find(new Slug("good")))).isPresent();
    }
  }

  @Test
  void tags_of_a_changed_file_are_exchanged(@TempDir Path folder) {
    var matter = "---\ntitle: T\nboard: news\ndate: 2026-11-30\ntags: [%s]\n---\nx";
    try (var open = new OpenPosts(folder).withFile("a.md", matter.formatted("one, two"))) {
      open.imported();
      open.withFile("a.md", matter.formatted("three, two")).imported();

      var post = await(open.posts.find(new Slug("t"))).orElseThrow();
      assertThat(post.tags()).containsExactly(new Slug("three"), new Slug("two"));
      assertThat(await(open.posts.tagged(new Slug("one"), 1)).posts()).isEmpty();
    }
  }

  @Test
  void other_files_and_hidden_ones_are_left_alone(@TempDir Path folder) {
    try (var open = new OpenPosts(folder).with("a.md", "Hello", "2026-11-30", "x")) {
      open.withFile("notes.txt", "x").withFile(".b.md", "x").withFile("a.md~", "x");

      assertThat(open.imported()).isEqualTo("posts: 1 imported, 0 unchanged, 0 skipped");
    }
  }

  @Test
  void a_missing_folder_is_refused_in_one_line(@TempDir Path folder) {
    try (var open = new OpenPosts(folder)) {
      assertThatThrownBy(open::imported)
          .isInstanceOf(StartRefusal.class)
          .hasMessage("board.posts: %s is not a folder that can be read", folder.resolve("posts"));
    }
  }

  @Test
  void every_post_that_ships_is_imported() throws java.io.IOException {
    var folder = Path.of("../../conf/posts");
    try (var files = Files.list(folder)) {
      var reading = new PostFolder(folder).read(java.util.Map.of());

      assertThat(reading.complaints()).isEmpty();
      assertThat(reading.files()).hasSize((int) files.count()).hasSizeGreaterThan(20);
    }
  }
}
