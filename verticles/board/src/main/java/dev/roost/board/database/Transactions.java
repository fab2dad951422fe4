package dev.roost.board.database;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Function;

/// Several statements, all or nothing.
///
/// Not `Pool.withTransaction`: vertx-jdbc-client 5.0.10 leaves a connection out of auto-commit when
/// it has committed, and SQLite's driver then begins the next transaction at once. The idle
/// connection would keep the one writer's place from every other connection and process.
public final class Transactions {

  private Transactions() {}

  /// @param work on the connection of the transaction
  /// @return fails as `work` does; then nothing of it was done
  public static Future<Void> in(Pool pool, Function<SqlConnection, Future<Void>> work) {
    return pool.withConnection(connection -> in(connection, work)).mapEmpty();
  }

  private static Future<Void> in(
      SqlConnection connection, Function<SqlConnection, Future<Void>> work) {
    return run(connection, "begin immediate")
        .compose(_ -> work.apply(connection))
        .compose(_ -> run(connection, "commit"))
        .recover(
            failure -> run(connection, "rollback").transform(_ -> Future.failedFuture(failure)));
  }

  private static Future<Void> run(SqlConnection connection, String statement) {
    return connection.query(statement).execute().mapEmpty();
  }
}
