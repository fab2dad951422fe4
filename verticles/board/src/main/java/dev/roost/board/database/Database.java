package dev.roost.board.database;

import dev.roost.server.settings.StartRefusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.jdbcclient.JDBCConnectOptions;
import io.vertx.jdbcclient.JDBCPool;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;

/// The board's SQLite file, open. Thread-safe.
public final class Database {
  /// SQLite has one writer; a few readers beside it keep two cores busy.
  private static final int CONNECTIONS_MAX = 4;

  /// Most queries that wait for a connection; beyond it a query fails and the page answers 503.
  private static final int WAITING_MAX = 1_024;

  private final Vertx vertx;
  private final SqliteFile file;
  private final Pool pool;
  private final Share share;

  private Database(Vertx vertx, SqliteFile file, Share share) {
    this.vertx = vertx;
    this.file = file;
    this.pool = pool(vertx, file);
    this.share = share;
  }

  /// Opens the file, creating or migrating it off the event loop.
  ///
  /// @return fails with a [StartRefusal] of one line; then nothing in the file was changed
  public static Future<Database> open(Vertx vertx, Path path) {
    return open(vertx, path, Share.ALONE);
  }

  /// The same where several processes use the file.
  public static Future<Database> open(Vertx vertx, Path path, Share share) {
    var file = new SqliteFile(path.toAbsolutePath().normalize());
    return vertx
        .<Void>executeBlocking(
            () -> {
              if (share.prepares()) {
                prepare(file);
              }
              return null;
            })
        .map(_ -> new Database(vertx, file, share));
  }

  /// Where queries are asked. Closed by [#close()].
  public Pool pool() {
    return pool;
  }

  /// Waits for the queries under way, writes everything into the one file and lets go of it.
  ///
  /// @return completes when no `-wal` file is left, unless another process still uses the file
  public Future<Void> close() {
    return pool.close()
        .compose(
            _ ->
                vertx.executeBlocking(
                    () -> {
                      checkpoint();
                      return null;
                    }));
  }

  private static void prepare(SqliteFile file) {
    try {
      var folder = file.path().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      new Migrations(file).run();
    } catch (Migrations.Foreign foreign) {
      throw refusal(file, foreign);
    } catch (IOException | SQLException | FlywayException broken) {
      throw refusal(file, broken);
    }
  }

  private static StartRefusal refusal(SqliteFile file, Exception cause) {
    var reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("cannot be opened");
    return new StartRefusal(
        StartRefusal.Stage.DATABASE, "database %s: %s".formatted(file.path(), reason));
  }

  private static Pool pool(Vertx vertx, SqliteFile file) {
    return JDBCPool.pool(
        vertx,
        new JDBCConnectOptions().setJdbcUrl(file.url()),
        new PoolOptions().setMaxSize(CONNECTIONS_MAX).setMaxWaitQueueSize(WAITING_MAX));
  }

  /// The last connection to leave removes the `-wal` file, once all of it is in the database.
  private void checkpoint() throws SQLException {
    try (var connection = file.dataSource().getConnection();
        var statement = connection.createStatement();
        var result = statement.executeQuery("pragma wal_checkpoint(TRUNCATE)")) {
      if (result.next() && result.getInt(1) != 0 && !share.leavesOthers()) {
        throw new SQLException("another process still uses the database; its -wal file stays");
      }
    }
  }
}
