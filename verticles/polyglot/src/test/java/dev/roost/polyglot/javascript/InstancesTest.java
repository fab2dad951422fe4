package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.ReactorSettings;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class InstancesTest {

  @Test
  void two_instances_share_nothing_but_the_text() throws Exception {
    var script = "let n = 0; export default r => r.get('/', () => String(++n));";
    try (var server =
        Served.module(script, settings -> settings.with(new ReactorSettings(2, 64)))) {
      var counts = new ArrayList<String>();
      for (var connection = 0; connection < 12; connection++) {
        counts.add(getOnItsOwnConnection(server));
      }
      assertThat(counts).containsExactlyInAnyOrder("1", "1", "2", "2");
    }
  }

  @Test
  void a_script_is_evaluated_on_a_worker_and_run_on_the_loop() throws Exception {
    var script = "console.log('built'); export default r => console.log('mounted');";
    try (var log = Logged.by("app.js");
        var _ = Served.module(script)) {
      assertThat(thread(log.next())).startsWith("vert.x-worker-thread");
      assertThat(thread(log.next())).startsWith("vert.x-eventloop-thread");
    }
  }

  @Test
  void a_server_that_stops_tells_its_streams_first() throws Exception {
    var script = "export default r => r.sse('/', s => s.onClose(() => console.log('closed')));";
    try (var log = Logged.by("app.js");
        var server = Served.module(script);
        var lines = Served.lines(server, HttpRequest.newBuilder(server.uri("/")))) {
      var stopped = server.roost().close();
      assertThat(lines).contains(": the server is going away");
      assertThat(log.next().getMessage()).isEqualTo("closed");
      TestServer.await(stopped);
    }
  }

  private static String thread(LogRecord record) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.threadId() == record.getLongThreadID())
        .map(Thread::getName)
        .findFirst()
        .orElseThrow();
  }

  private static String getOnItsOwnConnection(TestServer server) throws Exception {
    try (var client = HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      return client
          .send(HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofString())
          .body();
    }
  }
}
