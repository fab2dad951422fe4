package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Patience;
import dev.roost.testkit.ResumingClient;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What two worker processes have in common by way of their supervisor.
class SharedProcessTest {
  @TempDir private Path folder = Path.of("");
  private VertxProcess process;
  private TestServer server;

  /// The same with another client: connections are not shared with requests.
  private TestServer streams;

  SharedProcessTest() {}

  @BeforeEach
  void start() throws IOException {
    process = VertxProcess.servingClass(NewsRoutes.class, folder, "--processes=2");
    var ready = process.ready();
    server = TestServer.at(Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
    streams = TestServer.at(server.port(), 0);
  }

  @AfterEach
  void stop() {
    streams.close();
    server.close();
    process.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_session_ticket_of_one_worker_is_good_in_the_other(String version) {
    var client = new ResumingClient(version);
    var pids = new HashSet<String>();
    while (pids.size() < 2) {
      pids.add(client.ask(server.port()).replaceAll("(?s).*worker: (\\d+)\r\n.*", "$1"));
    }
    client.ask(server.port());
    assertThat(server.metric(handshakes("false", version))).isEqualTo(1);
    assertThat(server.metric(handshakes("true", version))).isGreaterThanOrEqualTo(2);
    assertThat(folder.resolve("data/ticket-keys")).isNotEmptyFile();
  }

  @Test
  void a_message_of_one_reaches_streams_and_polls_of_the_other_once_and_in_order() {
    var first = server.post("/news", "first");
    var publisher = worker(first);
    try (var stream = elsewhere(publisher, () -> stream(first.body()))) {
      for (var i = 0; i < 20; i++) {
        assertThat(on(publisher, post("/news", "message " + i)).statusCode()).isEqualTo(200);
        assertThat(stream.receive()).endsWith("|data: message " + i);
      }
      var path = "/poll?cursor=" + first.body();
      var poll = notOn(publisher, HttpRequest.newBuilder(server.uri(path)));
      var messages = new JsonObject(poll.body()).getJsonArray("messages");
      assertThat(messages).hasSize(20);
      assertThat(messages.getJsonObject(19).getString("data")).isEqualTo("message 19");
    }
  }

  @Test
  void what_a_killed_worker_has_published_stays_for_the_others_and_the_next() throws Exception {
    var first = server.post("/news", "first");
    var victim = worker(first);
    on(victim, post("/news", "second"));
    process.child(Long.parseLong(victim)).destroyForcibly();
    Patience.until("another is ready", () -> server.metric("roost_workers_restarts_total") == 1);
    Patience.until("both are ready", () -> server.metric("roost_workers_ready") == 2);
    var pids = new HashSet<String>();
    while (pids.size() < 2) {
      try (var stream = stream(first.body())) {
        assertThat(stream.receive()).endsWith("|data: second");
        pids.add(worker(stream.response()));
      }
    }
    assertThat(pids).doesNotContain(victim);
  }

  @Test
  void a_note_of_one_is_heard_by_the_other() {
    var sender = worker(server.post("/note", "hear, hear"));
    Patience.until(
        "the other has heard",
        () ->
            notOn(sender, HttpRequest.newBuilder(server.uri("/note"))).body().equals("hear, hear"));
  }

  @Test
  void nobody_else_may_read_the_ticket_keys_and_the_log_does_not_tell_them() throws Exception {
    var file = folder.resolve("data/ticket-keys");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    assertThat(process.signal("TERM").exitCode()).isZero();
    assertThat(process.errors()).doesNotContain("icket", "WARNING", "Exception");
  }

  private static String handshakes(String resumed, String version) {
    return "roost_tls_handshakes_total{resumed=\"%s\",version=\"%s\"}".formatted(resumed, version);
  }

  private HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(server.uri(path)).POST(BodyPublishers.ofString(body));
  }

  private TestStream stream(String id) {
    return TestStream.resume(streams, "/stream", id);
  }

  private TestStream elsewhere(String pid, Supplier<TestStream> open) {
    while (true) {
      var stream = open.get();
      if (!worker(stream.response()).equals(pid)) {
        return stream;
      }
      stream.close();
    }
  }

  /// The client keeps one connection, so that is where `pid` is.
  private HttpResponse<String> on(String pid, HttpRequest.Builder request) {
    var answer = server.send(request);
    assertThat(worker(answer)).isEqualTo(pid);
    return answer;
  }

  private HttpResponse<String> notOn(String pid, HttpRequest.Builder request) {
    return Stream.generate(() -> server.sendAlone(request))
        .filter(answer -> !worker(answer).equals(pid))
        .findFirst()
        .orElseThrow();
  }

  private static String worker(HttpResponse<?> answer) {
    return answer.headers().firstValue("worker").orElse("");
  }
}
