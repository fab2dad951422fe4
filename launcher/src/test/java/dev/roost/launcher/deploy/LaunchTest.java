package dev.roost.launcher.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.launcher.config.Assignment;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.config.Source;
import dev.roost.launcher.shutdown.Stop;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.settings.StartRefusal;
import dev.roost.testkit.Patience;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts within this JVM; what needs a process of its own is in `VertxProcessTest`.
class LaunchTest {
  @TempDir private Path folder = Path.of("");

  private CompletableFuture<String> stopped = new CompletableFuture<>();

  @Test
  void the_line_says_what_runs_where_on_what_with_how_many_instances() {
    try (var launch = start("hello", Map.of("transport", "nio"))) {
      assertThat(launch.line())
          .matches(
              "hello at https://127\\.0\\.0\\.1:\\d+ · metrics at http://127\\.0\\.0\\.1:\\d+"
                  + " · nio · 2 instances");
    }
  }

  /// Netty's global executor is not counted: it is the JVM's, and ends by itself after a second.
  @Test
  void no_thread_is_left_when_it_is_closed() {
    var before = Thread.getAllStackTraces().keySet();
    start("hello", Map.of()).close();
    Patience.until("none is left", () -> isNothingLeft(before)); // the last ones may be ending
  }

  private static boolean isNothingLeft(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon() && !before.contains(thread))
        .allMatch(thread -> thread.getName().startsWith("globalEventExecutor"));
  }

  @Test
  void a_route_set_on_the_class_path_is_served() {
    try (var launch = start(Served.class.getName(), Map.of())) {
      assertThat(launch.line()).contains("Served at https://");
    }
  }

  @Test
  void any_other_verticle_is_deployed_as_it_is() {
    try (var launch = start(OfItsOwn.class.getName(), Map.of("transport", "nio"))) {
      assertThat(launch.line()).endsWith("OfItsOwn · nio · 2 instances");
    }
  }

  @Test
  void a_verticle_that_fails_is_named_with_its_reason() {
    assertThatThrownBy(() -> start(Failing.class.getName(), Map.of()))
        .isInstanceOf(FailedVerticle.class)
        .hasMessageEndingWith("Failing: failed to start: java.io.IOException: no paper");
  }

  @Test
  void a_failed_start_leaves_the_data_directory_free() {
    assertThatThrownBy(() -> start("hello", Map.of("server.host", "192.0.2.1")))
        .isInstanceOfSatisfying(
            StartRefusal.class,
            refusal -> assertThat(refusal.stage()).isEqualTo(StartRefusal.Stage.BIND));
    start("hello", Map.of()).close();
  }

  @Test
  void a_port_that_answers_is_refused_before_anything_is_bound() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = Integer.toString(taken.getLocalPort());
      assertThatThrownBy(() -> start("hello", Map.of("management.port", port)))
          .hasMessageStartingWith("management.port: %s already answers on 127.0.0.1;", port);
    }
  }

  @Test
  void one_number_for_both_ports_is_a_mistake_in_the_settings() {
    assertThatThrownBy(
            () -> start("hello", Map.of("server.port", "9443", "management.port", "9443")))
        .hasMessageStartingWith("management.port: 9443 is server.port too;");
  }

  @Test
  void a_stop_during_the_start_breaks_it_off_and_leaves_nothing_open() {
    stopped.complete("test");
    assertThatThrownBy(() -> start("board", Map.of())).isInstanceOf(Launch.Stopped.class);
    stopped = new CompletableFuture<>();
    start("board", Map.of()).close();
    assertThat(folder.resolve("data/board.db-wal")).doesNotExist();
  }

  @Test
  void an_unknown_language_is_refused() {
    assertThatThrownBy(() -> start("nosuch.py", Map.of())).hasMessage("nosuch.py: no such file");
  }

  @Test
  void a_class_that_is_no_verticle_is_refused() {
    assertThatThrownBy(() -> start("java.lang.String", Map.of()))
        .hasMessage("java.lang.String: is neither a RouteSet nor a verticle");
  }

  @Test
  void a_transport_that_is_missing_stops_the_start() {
    assertThatThrownBy(() -> start("hello", Map.of("transport", "kqueue")))
        .hasMessageStartingWith("transport: kqueue is not available here: ");
  }

  private Launch start(String verticle, Map<String, String> more) {
    var wishes = new ArrayList<Assignment>();
    var quiet =
        Map.of(
            "server.host", "127.0.0.1",
            "server.port", "0",
            "management.port", "0",
            "instances", "2",
            "data.dir", folder.resolve("data").toString());
    quiet.forEach((key, text) -> wishes.add(new Assignment(key, text, Source.option("test"))));
    more.forEach((key, text) -> wishes.add(new Assignment(key, text, Source.option("test"))));
    var settings = Settings.of(List.of(wishes));
    return Launch.start(
        new Launch.Plan(
            verticle,
            settings,
            new Home(Path.of("..")),
            _ -> {},
            asked(stopped),
            Optional.empty()));
  }

  private static Stop asked(CompletableFuture<String> stopped) {
    return new Stop() {
      @Override
      public CompletableFuture<String> asked() {
        return stopped;
      }

      @Override
      public void ask(String why) {
        stopped.complete(why);
      }
    };
  }

  static final class Served implements RouteSet {
    @Override
    public void mount(Routes routes) {
      routes.get("/", request -> request.end("served"));
    }
  }

  static final class OfItsOwn extends AbstractVerticle {}

  static final class Failing extends VerticleBase {
    @Override
    public Future<?> start() {
      return Future.failedFuture(new IOException("no paper"));
    }
  }
}
