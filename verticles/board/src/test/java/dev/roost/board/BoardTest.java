package dev.roost.board;

import static dev.roost.testkit.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.board.boards.Site;
import dev.roost.server.settings.StartRefusal;
import dev.roost.testkit.TestServer;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoardTest {
  private static final Path WEBROOT = ServedBoard.ROOT.resolve("webroot");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  @Test
  void a_board_without_posts_says_what_to_do(@TempDir Path folder) {
    var board = await(Board.open(vertx, settings(folder, Optional.empty())));
    try (var server = TestServer.serving(board.routes())) {
      assertThat(server.get("/").body()).contains("No posts yet", "posts folder");
      assertThat(server.get("/boards").body()).contains("No boards yet");
    }
    await(board.close());
  }

  @Test
  void a_board_whose_database_is_gone_still_answers_in_its_dress(@TempDir Path folder) {
    try (var served = new ServedBoard(folder)) {
      await(served.board().close());
      var page = served.get("/");

      assertThat(page.statusCode()).isEqualTo(500);
      assertThat(page.body()).contains("Something broke on our side", "class=\"birds\"");
      assertThat(page.body()).doesNotContain("Exception", "dev.roost");
    }
  }

  @Test
  void a_refused_start_leaves_the_database_closed(@TempDir Path folder) {
    var missing = Optional.of(folder.resolve("none"));

    assertThatThrownBy(() -> await(Board.open(vertx, settings(folder, missing))))
        .isInstanceOf(StartRefusal.class)
        .hasMessageStartingWith("board.posts: ");
    assertThat(folder.resolve("board.db")).exists();
    assertThat(folder.resolve("board.db-wal")).doesNotExist();
  }

  private static BoardSettings settings(Path folder, Optional<Path> posts) {
    return new BoardSettings(Site.standard(), folder.resolve("board.db"), WEBROOT, posts);
  }
}
