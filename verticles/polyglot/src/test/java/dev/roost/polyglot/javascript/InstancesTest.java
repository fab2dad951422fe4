package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.ReactorSettings;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import java.util.function.UnaryOperator;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class InstancesTest {

  private static final Served SCRIPT = new Served("instances.js");

  @Test
  void instances_share_nothing_but_the_text() {
    var source = SCRIPT.source("let n = 0; export default r => r.get('/', () => String(++n));");
    try (var one = TestServer.servingEach(source, UnaryOperator.identity());
        var other = TestServer.servingEach(source, UnaryOperator.identity())) {
      assertThat(one.get("/").body()).isEqualTo("1");
      assertThat(one.get("/").body()).isEqualTo("2");
      assertThat(other.get("/").body()).isEqualTo("1");
    }
  }

  @Test
  void every_event_loop_of_a_server_has_an_instance() {
    var source = SCRIPT.source("console.log('built'); export default () => {};");
    try (var log = SCRIPT.console();
        var _ =
            TestServer.servingEach(source, settings -> settings.with(ReactorSettings.of(2, 64)))) {
      assertThat(log.next().getMessage()).isEqualTo("built");
      assertThat(log.next().getMessage()).isEqualTo("built");
    }
  }

  @Test
  void a_script_is_evaluated_on_a_worker_and_run_on_the_loop() {
    var script = "console.log('built'); export default r => console.log('mounted');";
    try (var log = SCRIPT.console();
        var _ = SCRIPT.module(script)) {
      assertThat(thread(log.next())).startsWith("vert.x-worker-thread");
      assertThat(thread(log.next())).startsWith("vert.x-eventloop-thread");
    }
  }

  @Test
  void a_server_that_stops_tells_its_streams_first() {
    var script = "export default r => r.sse('/', s => s.onClose(() => console.log('closed')));";
    try (var log = SCRIPT.console();
        var server = SCRIPT.module(script);
        var stream = TestStream.open(server, "/")) {
      TestServer.await(server.roost().close());
      assertThat(stream.receive()).isEqualTo(": the server is going away");
      assertThat(log.next().getMessage()).isEqualTo("closed");
    }
  }

  private static String thread(LogRecord record) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.threadId() == record.getLongThreadID())
        .map(Thread::getName)
        .findFirst()
        .orElseThrow();
  }
}
