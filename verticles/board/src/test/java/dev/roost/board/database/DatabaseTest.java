package dev.roost.board.database;

import static dev.roost.testkit.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.StartRefusal;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
  private static final String INSERT =
      "insert into boards (slug, title, description, position) values ('a', 'A', '', 0)";

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  @Test
  void a_missing_file_and_its_folders_are_made(@TempDir Path folder) {
    var file = folder.resolve("new/board.db");

    var database = await(Database.open(vertx, file));
    var rows = await(database.pool().query("select count(*) from posts").execute());
    await(database.close());

    assertThat(rows.iterator().next().getLong(0)).isZero();
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void closing_leaves_one_file_with_everything_in_it(@TempDir Path folder) throws IOException {
    var file = folder.resolve("board.db");
    var database = await(Database.open(vertx, file));
    await(database.pool().query(INSERT).execute());
    assertThat(folder.resolve("board.db-wal")).isNotEmptyFile();

    await(database.close());

    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
    var again = await(Database.open(vertx, file));
    assertThat(await(again.pool().query("select slug from boards").execute())).hasSize(1);
    await(again.close());
  }

  @Test
  void connections_keep_what_the_board_relies_on(@TempDir Path folder) {
    var database = await(Database.open(vertx, folder.resolve("board.db")));

    assertThat(pragma(database, "journal_mode")).isEqualTo("wal");
    assertThat(pragma(database, "synchronous")).isEqualTo("2");
    assertThat(pragma(database, "foreign_keys")).isEqualTo("1");
    assertThat(pragma(database, "busy_timeout")).isEqualTo("5000");
    await(database.close());
  }

  @Test
  void a_database_of_a_newer_version_is_refused_and_left_untouched(@TempDir Path folder)
      throws IOException, SQLException {
    var file = folder.resolve("board.db");
    await(await(Database.open(vertx, file)).close());
    execute(
        file,
        "insert into flyway_schema_history values (99, '99', 'later', 'SQL', 'V99__later.sql', 1,"
            + " 'x', '2027-01-01', 1, 1)");
    var before = Files.readAllBytes(file);

    assertThatThrownBy(() -> await(Database.open(vertx, file)))
        .isInstanceOf(StartRefusal.class)
        .hasMessage(
            "database %s: has schema version 99 and this board knows up to %d; run the newer Roost"
                + " that made it",
            file, Migrations.SCHEMA_VERSION);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(folder.toFile().list()).containsExactly("board.db");
  }

  @Test
  void what_is_no_file_is_refused(@TempDir Path folder) throws IOException {
    var file = Files.createDirectory(folder.resolve("board.db"));
    assertThatThrownBy(() -> await(Database.open(vertx, file)))
        .isInstanceOf(StartRefusal.class)
        .hasMessage("database %s: is not a file that can be written", file);
  }

  @Test
  void a_database_of_something_else_is_refused_and_left_untouched(@TempDir Path folder)
      throws IOException, SQLException {
    var file = folder.resolve("bookmarks.db");
    execute(file, "create table bookmarks (url text)");
    var before = Files.readAllBytes(file);

    assertThatThrownBy(() -> await(Database.open(vertx, file)))
        .isInstanceOf(StartRefusal.class)
        .hasMessageContaining("is a database of something else");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void a_file_that_is_no_database_is_refused_in_one_line(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("board.db"), "dear diary ".repeat(100));

    assertThatThrownBy(() -> await(Database.open(vertx, file)))
        .isInstanceOf(StartRefusal.class)
        .hasMessageStartingWith("database " + file + ": ")
        .message()
        .hasLineCount(1);
    assertThat(file).hasContent("dear diary ".repeat(100));
  }

  @Test
  void the_newest_migration_is_the_version_this_board_says_it_knows(@TempDir Path folder) {
    var all = new Migrations(new SqliteFile(folder.resolve("board.db"))).flyway().info().all();

    var newest =
        Arrays.stream(all).mapToInt(each -> Integer.parseInt(each.getVersion().toString())).max();
    assertThat(newest).hasValue(Migrations.SCHEMA_VERSION);
  }

  private static String pragma(Database database, String name) {
    var rows = await(database.pool().query("pragma " + name).execute());
    return String.valueOf(rows.iterator().next().getValue(0));
  }

  private static void execute(Path file, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
