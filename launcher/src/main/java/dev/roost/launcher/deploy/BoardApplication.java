package dev.roost.launcher.deploy;

import dev.roost.board.Board;
import dev.roost.board.BoardSettings;
import dev.roost.board.boards.Site;
import dev.roost.board.database.Share;
import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.deploy.Target.Opened;
import dev.roost.launcher.deploy.Target.Surroundings;
import dev.roost.server.http.RouteSource;
import io.vertx.core.Future;

/// The board as something to run: its settings from ours.
final class BoardApplication {

  private BoardApplication() {}

  static Future<Opened> open(Surroundings surroundings) {
    return Board.open(surroundings.vertx(), settings(surroundings))
        .map(board -> new Opened(RouteSource.shared(board.routes()), board::close));
  }

  private static BoardSettings settings(Surroundings surroundings) {
    var home = surroundings.home();
    var settings = surroundings.settings();
    return new BoardSettings(
        home.shipped(settings.value(Catalogue.BOARD_SITE), "conf/board.yaml")
            .map(Site::read)
            .orElseGet(Site::standard),
        surroundings.dataFolder().resolve("board.db"),
        home.webroot(),
        home.shipped(settings.value(Catalogue.BOARD_POSTS), "conf/posts"),
        switch (surroundings.place()) {
          case ALONE -> Share.ALONE;
          case FIRST -> Share.FIRST;
          case OTHER -> Share.OTHER;
        });
  }
}
