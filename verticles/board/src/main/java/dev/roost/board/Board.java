package dev.roost.board;

import dev.roost.board.boards.Boards;
import dev.roost.board.database.Database;
import dev.roost.board.pages.BoardRoutes;
import dev.roost.board.pages.StaticFiles;
import dev.roost.board.posts.PostImport;
import dev.roost.board.posts.Posts;
import dev.roost.server.http.RouteSet;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;

/// The board and blog: one per process, whatever the number of event loops. Thread-safe.
public final class Board {
  private final Database database;
  private final RouteSet routes;

  private Board(Database database, RouteSet routes) {
    this.database = database;
    this.routes = routes;
  }

  /// Opens the database, imports the posts, reads the static files. Blocks no event loop.
  ///
  /// @return fails with a [StartRefusal] if something the operator can mend is in the way; then
  ///   nothing of the board is left open
  public static Future<Board> open(Vertx vertx, BoardSettings settings) {
    return vertx
        .executeBlocking(() -> StaticFiles.read(settings.webroot()))
        .compose(
            files ->
                Database.open(vertx, settings.database(), settings.share())
                    .compose(
                        database ->
                            filled(vertx, settings, database, Objects.requireNonNull(files))));
  }

  /// What it serves. May be mounted once per event loop.
  public RouteSet routes() {
    return routes;
  }

  /// Lets go of the database; nothing can be read or written from then on.
  ///
  /// @return completes when everything is in the one database file
  public Future<Void> close() {
    return database.close();
  }

  private static Future<Board> filled(
      Vertx vertx, BoardSettings settings, Database database, StaticFiles files) {
    var boards = new Boards(database.pool());
    var posts = new Posts(database.pool());
    var imports = new PostImport(vertx, database.pool(), boards);
    var filling =
        settings.share().prepares()
            ? boards
                .addMissing(settings.site().boards())
                .compose(
                    _ ->
                        settings
                            .posts()
                            .map(folder -> imports.run(folder).<Void>mapEmpty())
                            .orElseGet(Future::succeededFuture))
            : Future.<Void>succeededFuture();
    return filling
        .map(_ -> new BoardRoutes(boards, posts, settings.site(), files))
        .map(routes -> new Board(database, routes))
        .recover(cause -> database.close().transform(_ -> Future.failedFuture(cause)));
  }
}
