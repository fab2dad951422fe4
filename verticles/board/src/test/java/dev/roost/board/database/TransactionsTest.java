package dev.roost.board.database;

import static dev.roost.testkit.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// All or nothing, and the writer's place is free again after it, in whichever process.
class TransactionsTest {
  private final Vertx vertx = Vertx.vertx();
  @TempDir private Path folder = Path.of("");
  private Database database;
  private Database others;

  TransactionsTest() {}

  @BeforeEach
  void open() {
    database = await(Database.open(vertx, folder.resolve("board.db"), Share.FIRST));
    others = await(Database.open(vertx, folder.resolve("board.db"), Share.OTHER));
  }

  @AfterEach
  void close() {
    await(database.close());
    await(others.close());
    await(vertx.close());
  }

  @Test
  void another_process_may_write_as_soon_as_one_has_committed() {
    await(Transactions.in(database.pool(), connection -> insert(connection, "one")));
    await(Transactions.in(others.pool(), connection -> insert(connection, "two")));
    assertThat(boards()).isEqualTo(2);
  }

  @Test
  void one_that_fails_leaves_nothing_and_nobody_waiting() {
    var failing =
        Transactions.in(
            database.pool(),
            connection -> insert(connection, "one").compose(_ -> insert(connection, "one")));
    assertThatThrownBy(() -> await(failing)).hasMessageContaining("UNIQUE");
    await(Transactions.in(others.pool(), connection -> insert(connection, "two")));
    assertThat(boards()).isEqualTo(1);
  }

  private static Future<Void> insert(SqlConnection connection, String slug) {
    return connection
        .preparedQuery(
            "insert into boards (slug, title, description, position)"
                + " values (?, 'T', 'd', (select count(*) from boards))")
        .execute(Tuple.of(slug))
        .mapEmpty();
  }

  private long boards() {
    return await(others.pool().query("select count(*) from boards").execute())
        .iterator()
        .next()
        .getLong(0);
  }
}
