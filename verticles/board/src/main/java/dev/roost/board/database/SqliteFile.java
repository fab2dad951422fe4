package dev.roost.board.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/// One SQLite file and how it is opened. Every commit is on the disk before it is acknowledged
/// (`synchronous=FULL`); readers never wait for the writer (WAL). Immutable.
record SqliteFile(Path path) {
  /// A transaction takes the writer's place when it begins (IMMEDIATE), so it cannot fail half-way
  /// for having read first; who comes second waits up to five seconds.
  private static final String PRAGMAS =
      "?journal_mode=WAL&synchronous=FULL&foreign_keys=true&busy_timeout=5000"
          + "&transaction_mode=IMMEDIATE";

  /// For the pool.
  String url() {
    return "jdbc:sqlite:" + path + PRAGMAS;
  }

  /// For plain JDBC. Its connections block: not for an event loop.
  SQLiteDataSource dataSource() {
    var source = new SQLiteDataSource();
    source.setUrl(url());
    return source;
  }

  /// One connection that cannot write, whatever it is asked. Where no `-wal` file is left over, it
  /// is told that nobody else writes either (`immutable`): then SQLite makes no files beside it.
  Connection readOnly() throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setOpenMode(SQLiteOpenMode.OPEN_URI);
    var alone = !Files.exists(path.resolveSibling(path.getFileName() + "-wal"));
    return config.createConnection(
        "jdbc:sqlite:"
            + path.toUri().toString().replaceFirst("^file:/+", "file:/")
            + (alone ? "?immutable=1" : ""));
  }
}
