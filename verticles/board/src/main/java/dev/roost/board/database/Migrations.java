package dev.roost.board.database;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;

/// Brings a database file to the schema this version of the board knows. Blocks: for a worker.
final class Migrations {
  /// The newest schema this version knows: the number of the last file in `migrations`.
  static final int SCHEMA_VERSION = 1;

  private static final String LOCATION = "classpath:dev/roost/board/database/migrations";
  private static final String HISTORY = "flyway_schema_history";

  private final SqliteFile file;

  Migrations(SqliteFile file) {
    this.file = file;
  }

  /// Creates the file or migrates it. What is not ours is refused before anything is written.
  ///
  /// @throws Foreign if the file is a database of something else, or of a newer version
  /// @throws SQLException if the file cannot be opened, or is no database
  void run() throws IOException, SQLException {
    if (Files.exists(file.path())
        && !(Files.isRegularFile(file.path()) && Files.isWritable(file.path()))) {
      throw new Foreign("is not a file that can be written");
    }
    if (Files.exists(file.path()) && Files.size(file.path()) > 0) {
      try (var connection = file.readOnly()) {
        refuseForeign(connection);
      }
    }
    flyway().migrate();
  }

  Flyway flyway() {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(file.dataSource())
        .locations(LOCATION)
        .table(HISTORY)
        .loggers(FlywayLogs.class.getName())
        .load();
  }

  private static void refuseForeign(Connection connection) throws SQLException {
    if (number(connection, "select count(*) from sqlite_master") == 0) {
      return;
    }
    var named = "select count(*) from sqlite_master where name = '" + HISTORY + "'";
    if (number(connection, named) == 0) {
      throw new Foreign("is a database of something else; name another file");
    }
    var found = number(connection, "select max(cast(version as integer)) from " + HISTORY);
    if (found > SCHEMA_VERSION) {
      throw new Foreign(
          "has schema version %d and this board knows up to %d; run the newer Roost that made it"
              .formatted(found, SCHEMA_VERSION));
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /// The file is not one that this board may touch. The message goes on after the file's name.
  static final class Foreign extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Foreign(String message) {
      super(message, null, false, false);
    }
  }
}
