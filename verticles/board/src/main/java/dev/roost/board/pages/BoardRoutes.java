package dev.roost.board.pages;

import dev.roost.board.boards.BoardRefusal;
import dev.roost.board.boards.BoardSummary;
import dev.roost.board.boards.Boards;
import dev.roost.board.boards.Site;
import dev.roost.board.boards.Slug;
import dev.roost.board.pages.Frame.Head;
import dev.roost.board.posts.Post;
import dev.roost.board.posts.PostPage;
import dev.roost.board.posts.Posts;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What the board serves to readers. Thread-safe: mounted once per event loop.
public final class BoardRoutes implements RouteSet {
  private final Boards boards;
  private final Posts posts;
  private final StaticFiles files;
  private final Frames frames;
  private final ErrorPages errors;

  public BoardRoutes(Boards boards, Posts posts, Site site, StaticFiles files) {
    this(boards, posts, new Frames(site, files, Clock.systemUTC()));
  }

  private BoardRoutes(Boards boards, Posts posts, Frames frames) {
    this.boards = boards;
    this.posts = posts;
    this.files = frames.files();
    this.frames = frames;
    this.errors = new ErrorPages(frames, boards);
  }

  @Override
  public void mount(Routes routes) {
    routes
        .filter(SecurityHeaders::add)
        .get("/", this::home)
        .get("/boards", this::boards)
        .get("/board/:slug", this::board)
        .get("/post/:slug", this::post)
        .get("/tag/:slug", this::tag)
        .get("/static/:digest/:name", this::file)
        .notFound(errors::notFound)
        .failure(errors::failure);
  }

  private void home(RoutingContext ctx) {
    var number = PageNumber.of(ctx);
    var answer =
        posts
            .latest(number)
            .compose(
                page -> {
                  var site = frames.site();
                  var list = new PostList("Latest", site.subtitle(), "/", page, true);
                  return listed(site.title(), site.subtitle(), list, Optional.empty());
                });
    send(ctx, answer);
  }

  private void boards(RoutingContext ctx) {
    var head = new Head("Boards", "All boards of this site.", "/boards", Optional.empty(), true);
    send(ctx, boards.all().map(all -> Templates.boards(frames.around(head, all), all)));
  }

  private void board(RoutingContext ctx) {
    var slug = new Slug(parameter(ctx, "slug"));
    var number = PageNumber.of(ctx);
    var answer =
        boards
            .all()
            .map(all -> named(all, slug))
            .compose(board -> posts.ofBoard(slug, number).compose(page -> board(board, page)));
    send(ctx, answer);
  }

  private static BoardSummary named(List<BoardSummary> all, Slug slug) {
    return all.stream()
        .filter(board -> board.slug().equals(slug))
        .findFirst()
        .orElseThrow(() -> new BoardRefusal.NotFound("board", slug.text()));
  }

  private Future<Buffer> board(BoardSummary board, PostPage page) {
    var path = "/board/" + board.slug().encoded();
    var list = new PostList(board.title(), board.description(), path, page, false);
    return listed(board.title(), board.description(), list, Optional.of(board.slug()));
  }

  private void tag(RoutingContext ctx) {
    var slug = new Slug(parameter(ctx, "slug"));
    send(ctx, posts.tagged(slug, PageNumber.of(ctx)).compose(page -> tagged(slug, page)));
  }

  private Future<Buffer> tagged(Slug tag, PostPage page) {
    if (page.total() == 0) {
      throw new BoardRefusal.NotFound("tag", tag.text());
    }
    var title = "#" + tag;
    var list = new PostList(title, "", "/tag/" + tag.encoded(), page, true);
    return listed(title, "Posts about %s.".formatted(tag), list, Optional.empty());
  }

  private Future<Buffer> listed(
      String title, String description, PostList list, Optional<Slug> board) {
    var page = list.page();
    if (!page.exists()) {
      throw new BoardRefusal.NotFound("page", String.valueOf(page.number()));
    }
    var head = new Head(title, description, list.address(page.number()), board, true);
    return boards.all().map(all -> Templates.posts(frames.around(head, all), list));
  }

  private void post(RoutingContext ctx) {
    var slug = new Slug(parameter(ctx, "slug"));
    var answer =
        posts
            .find(slug)
            .map(found -> found.orElseThrow(() -> new BoardRefusal.NotFound("post", slug.text())))
            .compose(this::whole);
    send(ctx, answer);
  }

  private Future<Buffer> whole(Post post) {
    var summary = post.summary();
    var path = "/post/" + summary.slug().encoded();
    var board = Optional.of(summary.board());
    var head = new Head(summary.title(), summary.summary(), path, board, true);
    return boards.all().map(all -> Templates.post(frames.around(head, all), post));
  }

  private void file(RoutingContext ctx) {
    var name = parameter(ctx, "name");
    var file = files.find(name).orElseThrow(() -> new BoardRefusal.NotFound("file", name));
    Answers.file(ctx, file, file.digest().equals(parameter(ctx, "digest")));
  }

  /// A parameter that the route's own path names, so it is there.
  private static String parameter(RoutingContext ctx, String name) {
    return Objects.requireNonNull(ctx.pathParam(name));
  }

  private static void send(RoutingContext ctx, Future<Buffer> page) {
    page.onSuccess(html -> Answers.page(ctx, html)).onFailure(ctx::fail);
  }
}
