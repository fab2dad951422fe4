package dev.roost.board.pages;

import dev.roost.board.boards.BoardRefusal;
import dev.roost.board.boards.BoardSummary;
import dev.roost.board.boards.Boards;
import dev.roost.board.pages.Frame.Head;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/// Refusals and failures in the site's dress; the one place that knows which status a refusal has.
/// Thread-safe.
final class ErrorPages {
  private static final System.Logger LOG = System.getLogger(ErrorPages.class.getName());

  private final Frames frames;
  private final Boards boards;

  ErrorPages(Frames frames, Boards boards) {
    this.frames = frames;
    this.boards = boards;
  }

  void notFound(RoutingContext ctx) {
    answer(ctx, 404);
  }

  void failure(RoutingContext ctx) {
    var status = statusOf(ctx);
    if (status >= 500) {
      LOG.log(Level.ERROR, ctx.request().method() + " " + ctx.request().path(), ctx.failure());
    }
    answer(ctx, status);
  }

  private static int statusOf(RoutingContext ctx) {
    return switch (ctx.failure()) {
      case BoardRefusal refusal -> statusOf(refusal);
      case ConnectionPoolTooBusyException _ -> 503;
      case null, default -> ctx.statusCode() >= 400 ? ctx.statusCode() : 500;
    };
  }

  private static int statusOf(BoardRefusal refusal) {
    return switch (refusal) {
      case BoardRefusal.NotFound _ -> 404;
      case BoardRefusal.Malformed _ -> 400;
    };
  }

  /// Beyond 500 the database is asked nothing: it may be what broke.
  private void answer(RoutingContext ctx, int status) {
    if (status >= 500) {
      answer(ctx, status, List.of());
      return;
    }
    boards
        .all()
        .onSuccess(all -> answer(ctx, status, all))
        .onFailure(_ -> answer(ctx, status, List.of()));
  }

  private void answer(RoutingContext ctx, int status, List<BoardSummary> all) {
    if (ctx.response().ended() || ctx.response().closed()) {
      return;
    }
    var problem = Problem.of(status);
    var head = new Head(problem.heading(), "", "", Optional.empty(), false);
    Answers.problem(ctx, status, Templates.problem(frames.around(head, all), problem));
  }
}
