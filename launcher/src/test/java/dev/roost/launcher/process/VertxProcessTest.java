package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.roost.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a running `vertx` ends.
class VertxProcessTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void sigterm_ends_the_board_with_0_its_port_free_and_its_database_whole() throws Exception {
    try (var board = VertxProcess.serving("board", folder)) {
      int port = board.readyOnPort();
      assertThat(board.signal("TERM").exitCode()).isZero();
      assertFree(port);
      assertThat(folder.resolve("data/board.db")).isNotEmptyFile();
      assertThat(folder.resolve("data/board.db-wal")).doesNotExist();
      assertThat(board.errors()).doesNotContain("\tat ", "Exception", "WARNING");
      assertThat(board.outputLines()).isEmpty();
    }
  }

  @Test
  void two_workers_share_the_boards_database_and_leave_it_whole() throws Exception {
    try (var board = VertxProcess.serving("board", folder, "--processes=2")) {
      var management = Integer.parseInt(board.ready().group(2));
      var option = "management.port=" + management;
      try (var reload = VertxProcess.start(folder, "reload", "--set", option)) {
        assertThat(reload.exitCode()).as(board.errors()).isZero();
        assertThat(reload.outputLines()).singleElement().asString().startsWith("reloaded 2 ");
      }
      assertThat(board.signal("TERM").exitCode()).isZero();
      assertThat(folder.resolve("data/board.db")).isNotEmptyFile();
      assertThat(folder.resolve("data/board.db-wal")).doesNotExist();
    }
  }

  @Test
  void nobody_to_reload_exits_with_9() throws Exception {
    try (var reload = VertxProcess.start(folder, "reload", "--set", "management.port=1")) {
      assertThat(reload.exitCode()).isEqualTo(9);
      assertThat(reload.errors()).startsWith("vertx: http://127.0.0.1:1/reload: ");
    }
  }

  @Test
  void sigint_ends_it_alike() throws Exception {
    try (var hello = VertxProcess.serving("hello", folder)) {
      int port = hello.readyOnPort();
      assertThat(hello.signal("INT").exitCode()).isZero();
      assertFree(port);
    }
  }

  @Test
  void a_second_sigint_stops_at_once_with_130() throws Exception {
    try (var hello = VertxProcess.serving("hello", folder, "--set", "shutdown.pre-stop=10m")) {
      hello.ready();
      hello.signal("INT").logged("stopping (SIGINT)").signal("INT");
      assertThat(hello.exitCode()).isEqualTo(130);
    }
  }

  @Test
  void the_profile_reaches_the_jvm_and_its_environment() throws Exception {
    try (var hello = VertxProcess.serving("hello", folder, "--profile", "lowmem")) {
      hello.ready();
      var process = Path.of("/proc", Long.toString(hello.pid()));
      assertThat(Files.readString(process.resolve("cmdline"))).contains("jvm/lowmem.options");
      assertThat(Files.readString(process.resolve("environ"))).contains("MALLOC_ARENA_MAX=1");
      assertThat(hello.errors()).doesNotContain("profile lowmem also wants");
    }
  }

  @Test
  void nobody_is_blamed_where_the_whole_process_stood_still() throws Exception {
    try (var server = VertxProcess.serving("hello", folder, "--set", "reactor.blocked-after=1s")) {
      var management = Integer.parseInt(server.ready().group(2));
      var before = delayedTurns(management);
      server.suspend(Duration.ofMillis(2_500));
      Patience.until("the loops have noticed", () -> delayedTurns(management) > before);
      assertThat(metrics(management)).contains("roost_event_loop_blocked_total 0.0");
      assertThat(server.errors()).doesNotContain("has been blocked");
    }
  }

  /// Turns of the loops that came more than two seconds late.
  private static double delayedTurns(int management) {
    return number(management, "roost_event_loop_delay_seconds_count")
        - number(management, "roost_event_loop_delay_seconds_bucket{le=\"2.0\"}");
  }

  private static double number(int management, String series) {
    return metrics(management)
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  private static String metrics(int management) {
    try (var page =
        URI.create("http://127.0.0.1:%d/metrics".formatted(management)).toURL().openStream()) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void assertFree(int port) {
    assertThatCode(() -> bind(port)).doesNotThrowAnyException();
  }

  private static void bind(int port) throws IOException {
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
  }
}
