package dev.roost.board.boards;

import dev.roost.board.database.Transactions;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/// The boards of the site. Thread-safe.
public final class Boards {
  private static final String ALL =
      """
      select slug, title, description,
             (select count(*) from posts where posts.board_id = boards.id) as post_count
        from boards
       order by position, title
      """;
  private static final String ADD_MISSING =
      """
      insert into boards (slug, title, description, position)
      values (?, ?, ?, (select count(*) from boards))
      on conflict (slug) do nothing
      """;

  private final Pool pool;

  public Boards(Pool pool) {
    this.pool = pool;
  }

  /// All boards in the site's order, at most a few dozen.
  public Future<List<BoardSummary>> all() {
    return pool.query(ALL)
        .mapping(Boards::summary)
        .execute()
        .map(rows -> List.copyOf(rows.stream().toList()));
  }

  /// Makes those that there are not; changes none that there is.
  public Future<Void> addMissing(List<BoardEntry> entries) {
    return Transactions.in(pool, connection -> addAll(connection, entries));
  }

  private static Future<Void> addAll(SqlClient client, List<BoardEntry> entries) {
    var added = Future.<Void>succeededFuture();
    for (var entry : entries) {
      var values = Tuple.of(entry.slug().text(), entry.title(), entry.description());
      added = added.compose(_ -> client.preparedQuery(ADD_MISSING).execute(values).mapEmpty());
    }
    return added;
  }

  private static BoardSummary summary(Row row) {
    return new BoardSummary(
        new Slug(row.getString("slug")),
        row.getString("title"),
        row.getString("description"),
        row.getLong("post_count"));
  }
}
