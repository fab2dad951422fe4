package dev.roost.board.database;

import static dev.roost.testkit.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was acknowledged is there after the process was killed without a warning.
class KilledProcessTest {
  private static final int ROWS_SEEN_MIN = 20;

  @Test
  void what_was_acknowledged_survives_a_kill(@TempDir Path folder)
      throws IOException, InterruptedException {
    var file = folder.resolve("board.db");

    var acknowledged = acknowledgedBeforeKill(file);

    var vertx = Vertx.vertx();
    var database = await(Database.open(vertx, file));
    var rows = await(database.pool().query("select count(*) from boards").execute());
    await(database.close());
    await(vertx.close());
    assertThat(rows.iterator().next().getInteger(0)).isBetween(acknowledged, acknowledged + 1);
  }

  private static int acknowledgedBeforeKill(Path file) throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var acknowledged = 0;
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      while (acknowledged < ROWS_SEEN_MIN) {
        acknowledged = Integer.parseInt(lines.readLine());
      }
      // Process.destroyForcibly would close the pipe and lose what is still in it.
      process.toHandle().destroyForcibly();
      process.waitFor();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged = Integer.parseInt(line);
      }
    }
    return acknowledged;
  }

  /// Adds boards for ever and says after each how many are acknowledged.
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
      var database = await(Database.open(Vertx.vertx(), Path.of(arguments[0])));
      var sql = "insert into boards (slug, title, description, position) values (?, 'B', '', 0)";
      for (int i = 1; i < 1_000_000; i++) {
        await(database.pool().preparedQuery(sql).execute(Tuple.of("b" + i)));
        System.out.println(i);
      }
    }
  }
}
