package dev.roost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An answer on HTTP/1.1 that is not as long as its head says is the last one (RFC 9112, 6.3): the
/// client could not tell where the next one begins. The paths are one kind of answer each.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnswerLengthTest {

  private static final String NEXT = "GET /next HTTP/1.1\r\nHost: roost\r\n\r\n";

  private final AtomicInteger served = new AtomicInteger();
  private TestServer server;
  private Path file;

  @BeforeAll
  void serve(@TempDir Path folder) throws Exception {
    file = Files.writeString(folder.resolve("song.txt"), "twit twoo, twit");
    server = TestServer.serving(this::mount);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/short", "/short/parts", "/short/none", "/short/file", "/short/off"})
  void a_short_answer_closes_its_connection_and_nothing_is_said_behind_it(String path) {
    var rest = restAfter(path, "GET");
    assertThat(rest).startsWith("HTTP/1.1 200 OK\r\n").containsIgnoringCase("content-length: 20");
    assertThat(rest.lastIndexOf("HTTP/1.1")).isZero();
    assertThat(bodyOf(rest)).isIn("hoot", "", "twit twoo, twit");
    assertThat(served).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/long", "/long/parts", "/long/endless", "/long/off"})
  void a_long_answer_ends_at_its_declared_length_and_closes(String path) {
    assertThat(bodyOf(restAfter(path, "GET"))).isEqualTo("0123456789");
    assertThat(served).hasValue(0);
  }

  @Test
  void a_file_that_is_longer_than_declared_is_not_sent_beyond() {
    assertThat("twit twoo, twit").startsWith(bodyOf(restAfter("/long/file", "GET")));
    assertThat(served).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/odd/words", "/odd/negative", "/odd/two", "/odd/empty"})
  void a_length_that_is_none_is_not_told_and_the_answer_ends_with_its_connection(String path) {
    var rest = restAfter(path, "GET");
    assertThat(rest).containsIgnoringCase("connection: close").doesNotContain("ength:");
    assertThat(bodyOf(rest)).isEqualTo("hoot");
    assertThat(served).hasValue(0);
  }

  @Test
  void chunks_and_a_length_are_chunks_alone() {
    try (var client = RawConnection.to(server)) {
      client.send("GET /chunks HTTP/1.1\r\nHost: roost\r\n\r\n" + NEXT);
      var answer = client.answer();
      assertThat(answer.headers()).doesNotContainKey("content-length");
      assertThat(answer.body()).isEqualTo("hoot");
      assertThat(client.answer().body()).isEqualTo("next");
    }
    served.set(0);
  }

  @ParameterizedTest
  @CsvSource({"HEAD, /short", "HEAD, /long", "HEAD, /short/none", "GET, /unmodified"})
  void an_answer_without_a_body_may_declare_a_length(String method, String path) {
    try (var client = RawConnection.to(server)) {
      client.send("%s %s HTTP/1.1\r\nHost: roost\r\n\r\n".formatted(method, path));
      Patience.until("its head ends", () -> client.statusLine().isEmpty());
      client.send(NEXT);
      assertThat(client.answer().body()).isEqualTo("next");
    }
    served.set(0);
  }

  @ParameterizedTest
  @CsvSource({"/named/short, 4, 20", "/named/long, 15, 10"})
  void its_route_is_named_once(String path, int written, int declared) {
    try (var log = Logged.everything()) {
      restAfter(path + "/1", "GET");
      restAfter(path + "/2", "GET");
      var lines = log.warningsFrom(AnswerLengths.class.getName());
      assertThat(lines.stream().filter(line -> line.contains(path)))
          .containsExactly(
              "GET %s/:id wrote %d bytes for a Content-Length of %d: its connection ends"
                  .formatted(path, written, declared));
    }
  }

  private String restAfter(String path, String method) {
    try (var client = RawConnection.to(server)) {
      client.send("%s %s HTTP/1.1\r\nHost: roost\r\n\r\n%s".formatted(method, path, NEXT));
      return client.rest();
    }
  }

  private static String bodyOf(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  private void mount(Routes routes) {
    routes
        .get("/next", request -> next(request))
        .get("/short", request -> with(request, "20").end("hoot"))
        .get("/short/none", request -> with(request, "20").end())
        .get("/short/parts", request -> parts(with(request, "20"), "ho", "ot"))
        .get("/short/file", request -> with(request, "20").sendFile(file.toString()))
        .get("/named/short/:id", request -> with(request, "20").end("hoot"))
        .get("/named/long/:id", request -> with(request, "10").end("0123456789abcde"))
        .get("/long", request -> with(request, "10").end("0123456789abcde"))
        .get("/long/parts", request -> parts(with(request, "10"), "012345678", "9abcde"))
        .get("/long/endless", request -> with(request, "10").write("0123456789abcde"))
        .get("/long/file", request -> with(request, "10").sendFile(file.toString()))
        .group("/odd", AnswerLengthTest::mountOdd)
        .get("/chunks", request -> with(request, "9").setChunked(true).end("hoot"))
        .get("/unmodified", request -> with(request, "20").setStatusCode(304).end());
    routes
        .blocking()
        .get("/short/off", request -> with(request, "20").end("hoot"))
        .get("/long/off", request -> with(request, "10").end("0123456789abcde"));
  }

  private static void mountOdd(Routes routes) {
    routes
        .get("/words", request -> with(request, "four").end("hoot"))
        .get("/negative", request -> with(request, "-4").end("hoot"))
        .get("/empty", request -> with(request, "").end("hoot"))
        .get("/two", request -> two(request).end("hoot"));
  }

  private void next(RoutingContext request) {
    served.incrementAndGet();
    request.end("next");
  }

  private static HttpServerResponse with(RoutingContext request, String length) {
    return request.response().putHeader("content-length", length);
  }

  private static HttpServerResponse two(RoutingContext request) {
    request.response().headers().add("content-length", "4").add("content-length", "5");
    return request.response();
  }

  private static void parts(HttpServerResponse response, String first, String second) {
    response.write(first).onSuccess(_ -> response.end(second));
  }
}
