package dev.roost.launcher.deploy;

import dev.roost.board.Board;
import dev.roost.board.BoardSettings;
import dev.roost.launcher.deploy.Target.Opened;
import dev.roost.launcher.deploy.Target.Surroundings;
import dev.roost.server.http.RouteSource;
import io.vertx.core.Future;

/// The board as something to run: its settings from ours.
final class BoardApplication {

  private BoardApplication() {}

  static Future<Opened> open(Surroundings surroundings) {
    return Board.open(surroundings.vertx(), new BoardSettings())
        .map(board -> new Opened(RouteSource.shared(board.routes()), board::close));
  }
}
