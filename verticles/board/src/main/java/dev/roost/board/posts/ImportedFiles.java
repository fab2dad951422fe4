package dev.roost.board.posts;

import dev.roost.board.boards.Slug;
import dev.roost.board.database.Transactions;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which files became which posts, so that the same file twice makes one post. Thread-safe.
final class ImportedFiles {
  private static final String DIGESTS = "select name, digest from imported_files";
  private static final String SLUG_TAKEN = "select 1 from posts where slug = ?";
  private static final String ADD_POST =
      """
      insert into posts
        (board_id, title, summary, language, markdown, html, published_ms, slug)
      values ((select id from boards where slug = ?), ?, ?, ?, ?, ?, ?, ?)
      returning id
      """;
  private static final String CHANGE_POST =
      """
      update posts
         set board_id = (select id from boards where slug = ?),
             title = ?, summary = ?, language = ?, markdown = ?, html = ?, published_ms = ?
       where id = (select post_id from imported_files where name = ?)
      returning id
      """;
  private static final String REMEMBER =
      """
      insert into imported_files (name, post_id, digest) values (?, ?, ?)
      on conflict (name) do update set digest = excluded.digest
      """;
  private static final String DROP_TAGS = "delete from post_tags where post_id = ?";
  private static final String ADD_TAG =
      "insert into post_tags (post_id, tag, position) values (?, ?, ?)";

  private final Pool pool;

  ImportedFiles(Pool pool) {
    this.pool = pool;
  }

  /// The digest of every file imported so far, by its name.
  Future<Map<String, String>> digests() {
    return pool.query(DIGESTS)
        .execute()
        .map(
            rows -> {
              var digests = new HashMap<String, String>();
              rows.forEach(row -> digests.put(row.getString("name"), row.getString("digest")));
              return digests;
            });
  }

  /// Adds or changes the posts of these files: all of them, or none if one fails. A post keeps its
  /// slug whatever becomes of its title, since others may have linked to it.
  Future<Void> store(List<ReadFile> files) {
    return Transactions.in(
        pool,
        connection -> {
          var stored = Future.<Void>succeededFuture();
          for (var file : files) {
            stored = stored.compose(_ -> store(connection, file));
          }
          return stored;
        });
  }

  private static Future<Void> store(SqlClient client, ReadFile file) {
    return change(client, file)
        .compose(known -> known.map(Future::succeededFuture).orElseGet(() -> add(client, file)))
        .compose(id -> remember(client, file, id))
        .compose(id -> storeTags(client, file, id));
  }

  private static Future<Optional<Long>> change(SqlClient client, ReadFile file) {
    return id(client, CHANGE_POST, values(file).addString(file.post().name()));
  }

  private static Future<Long> add(SqlClient client, ReadFile file) {
    return freeSlug(client, Slug.of(file.post().title()), 1)
        .compose(slug -> id(client, ADD_POST, values(file).addString(slug.text())))
        .map(id -> id.orElseThrow());
  }

  private static Tuple values(ReadFile file) {
    var post = file.post();
    var rendered = file.rendered();
    return Tuple.tuple()
        .addString(post.board().text())
        .addString(post.title())
        .addString(rendered.summary())
        .addString(rendered.language())
        .addString(post.markdown())
        .addString(rendered.html())
        .addLong(post.published().toEpochMilli());
  }

  private static Future<Optional<Long>> id(SqlClient client, String sql, Tuple values) {
    return client
        .preparedQuery(sql)
        .execute(values)
        .map(rows -> rows.stream().findFirst().map(row -> row.getLong(0)));
  }

  /// The transaction holds the only writer's place, so what is free stays free until it is taken.
  private static Future<Slug> freeSlug(SqlClient client, Slug wanted, int number) {
    var slug = number == 1 ? wanted : wanted.numbered(number);
    return client
        .preparedQuery(SLUG_TAKEN)
        .execute(Tuple.of(slug.text()))
        .compose(
            rows ->
                rows.iterator().hasNext()
                    ? freeSlug(client, wanted, number + 1)
                    : Future.succeededFuture(slug));
  }

  private static Future<Long> remember(SqlClient client, ReadFile file, long id) {
    return client
        .preparedQuery(REMEMBER)
        .execute(Tuple.of(file.post().name(), id, file.digest()))
        .map(id);
  }

  private static Future<Void> storeTags(SqlClient client, ReadFile file, long id) {
    Future<Void> stored = client.preparedQuery(DROP_TAGS).execute(Tuple.of(id)).mapEmpty();
    var tags = file.post().tags();
    for (int i = 0; i < tags.size(); i++) {
      var values = Tuple.of(id, tags.get(i).text(), i);
      stored = stored.compose(_ -> client.preparedQuery(ADD_TAG).execute(values).mapEmpty());
    }
    return stored;
  }
}
