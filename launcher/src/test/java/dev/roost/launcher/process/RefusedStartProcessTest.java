package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A start that fails: one line on stderr, nothing on stdout, and the exit code of its stage.
class RefusedStartProcessTest {
  private static final String FAILING = "dev.roost.launcher.deploy.LaunchTest$Failing";

  @TempDir private Path folder = Path.of("");

  @Test
  void a_command_line_that_is_not_understood_exits_with_2() throws Exception {
    try (var vertx = VertxProcess.start(folder, "run", "--prot", "1")) {
      assertThat(vertx.exitCode()).isEqualTo(2);
      assertThat(vertx.errors()).startsWith("vertx: Unknown option").contains("run --help");
    }
  }

  @Test
  void broken_yaml_exits_with_3_and_its_line() throws Exception {
    Files.writeString(folder.resolve("bad.yaml"), "server:\n  port: [\n");
    try (var vertx = VertxProcess.serving("hello", folder, "--conf", "bad.yaml")) {
      refused(vertx, 3, "vertx: bad.yaml:3: not valid YAML: ");
    }
  }

  @Test
  void an_unknown_verticle_exits_with_4() throws Exception {
    try (var vertx = VertxProcess.serving("nosuch", folder)) {
      refused(vertx, 4, "vertx: nosuch: unknown verticle; ");
    }
  }

  @Test
  void a_port_in_use_exits_with_5() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var vertx =
            VertxProcess.serving("hello", folder, "--set", "server.port=" + taken.getLocalPort())) {
      refused(vertx, 5, "vertx: server.port: %d already answers".formatted(taken.getLocalPort()));
    }
  }

  @Test
  void a_certificate_that_cannot_be_read_exits_with_6() throws Exception {
    Files.writeString(folder.resolve("x.pem"), "no certificate");
    try (var vertx =
        VertxProcess.serving(
            "hello", folder, "--set", "tls.cert=x.pem", "--set", "tls.key=x.pem")) {
      refused(vertx, 6, "vertx: tls.cert: x.pem cannot be read");
    }
  }

  @Test
  void a_data_directory_in_use_exits_with_7_and_names_who_holds_it() throws Exception {
    try (var first = VertxProcess.serving("hello", folder)) {
      first.ready();
      try (var second = VertxProcess.serving("hello", folder)) {
        refused(second, 7, "vertx: data.dir: data is in use by process " + first.pid() + " (");
      }
    }
  }

  @Test
  void a_missing_transport_exits_with_8() throws Exception {
    try (var vertx = VertxProcess.serving("hello", folder, "--set", "transport=kqueue")) {
      refused(vertx, 8, "vertx: transport: kqueue is not available here: ");
    }
  }

  @Test
  void a_worker_that_does_not_start_ends_the_supervisor_as_it_ended() throws Exception {
    try (var vertx = VertxProcess.serving("nosuch", folder, "--processes", "2")) {
      assertThat(vertx.exitCode()).isEqualTo(4);
      assertThat(vertx.errors().lines().toList())
          .satisfiesExactly(
              its -> assertThat(its).startsWith("vertx: nosuch: unknown verticle; "),
              line -> assertThat(line).contains("worker 0 ended before it was ready: exit code 4"));
      assertThat(vertx.outputLines()).isEmpty();
    }
  }

  @Test
  void processes_without_epoll_exit_with_8() throws Exception {
    try (var vertx =
        VertxProcess.serving("hello", folder, "--processes=2", "--set", "transport=nio")) {
      refused(vertx, 8, "vertx: transport: processes share a port on epoll only, not on nio; ");
    }
  }

  @Test
  void a_verticle_that_fails_shows_its_stack_trace_only_with_debug() throws Exception {
    var classes = Map.of("CLASSPATH", Path.of("target/test-classes").toAbsolutePath().toString());
    try (var vertx = VertxProcess.start(folder, classes, "run", FAILING)) {
      refused(vertx, 4, "vertx: " + FAILING + ": failed to start: java.io.IOException: no paper");
    }
    try (var vertx = VertxProcess.start(folder, classes, "run", FAILING, "--debug")) {
      assertThat(vertx.exitCode()).isEqualTo(4);
      assertThat(vertx.errors()).contains("no paper").contains("\tat dev.roost.launcher.deploy");
    }
  }

  private static void refused(VertxProcess vertx, int code, String start)
      throws IOException, InterruptedException {
    assertThat(vertx.exitCode()).isEqualTo(code);
    assertThat(vertx.errors()).startsWith(start).hasLineCount(1);
    assertThat(vertx.outputLines()).isEmpty();
  }
}
