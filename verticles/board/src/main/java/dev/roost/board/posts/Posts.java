package dev.roost.board.posts;

import dev.roost.board.boards.Slug;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/// The posts of the site. Thread-safe.
public final class Posts {
  private static final String COLUMNS =
      """
      select posts.id, posts.slug, posts.title, posts.summary, posts.language, posts.published_ms,
             boards.slug as board_slug
      """;
  private static final String NEWEST_FIRST =
      " order by posts.published_ms desc, posts.id desc limit ? offset ?";
  private static final String FROM_ALL = " from posts join boards on boards.id = posts.board_id";
  private static final String FROM_BOARD = FROM_ALL + " where boards.slug = ?";
  private static final String FROM_TAG =
      FROM_ALL + " join post_tags on post_tags.post_id = posts.id where post_tags.tag = ?";
  private static final String FIND = COLUMNS + ", posts.html" + FROM_ALL + " where posts.slug = ?";
  private static final String TAGS =
      "select tag from post_tags where post_id = ? order by position";

  private final Pool pool;

  public Posts(Pool pool) {
    this.pool = pool;
  }

  /// The newest posts of all boards.
  ///
  /// @param number of the page, from 1
  public Future<PostPage> latest(int number) {
    return page(FROM_ALL, Tuple.tuple(), number);
  }

  /// The newest posts of one board; an empty page if there is no such board.
  public Future<PostPage> ofBoard(Slug board, int number) {
    return page(FROM_BOARD, Tuple.of(board.text()), number);
  }

  /// The newest posts with a tag.
  public Future<PostPage> tagged(Slug tag, int number) {
    return page(FROM_TAG, Tuple.of(tag.text()), number);
  }

  /// The post with that slug.
  public Future<Optional<Post>> find(Slug slug) {
    return pool.preparedQuery(FIND)
        .execute(Tuple.of(slug.text()))
        .compose(
            rows -> {
              var found = rows.iterator();
              return found.hasNext()
                  ? whole(found.next()).map(Optional::of)
                  : Future.succeededFuture(Optional.empty());
            });
  }

  private Future<PostPage> page(String from, Tuple named, int number) {
    var bounded = new ArrayList<Object>();
    for (int i = 0; i < named.size(); i++) {
      bounded.add(named.getValue(i));
    }
    bounded.add(PostPage.POSTS_MAX);
    bounded.add((number - 1L) * PostPage.POSTS_MAX);
    return pool.preparedQuery("select count(*) as total" + from)
        .execute(named)
        .map(rows -> rows.iterator().next().getLong("total"))
        .compose(
            total ->
                pool.preparedQuery(COLUMNS + from + NEWEST_FIRST)
                    .mapping(Posts::summary)
                    .execute(Tuple.tuple(bounded))
                    .map(rows -> new PostPage(rows.stream().toList(), number, total)));
  }

  private Future<Post> whole(Row row) {
    return pool.preparedQuery(TAGS)
        .mapping(tag -> new Slug(tag.getString("tag")))
        .execute(Tuple.of(row.getLong("id")))
        .map(tags -> new Post(summary(row), row.getString("html"), tags.stream().toList()));
  }

  private static PostSummary summary(Row row) {
    return new PostSummary(
        new Slug(row.getString("slug")),
        row.getString("title"),
        row.getString("summary"),
        row.getString("language"),
        new Slug(row.getString("board_slug")),
        Instant.ofEpochMilli(row.getLong("published_ms")));
  }
}
