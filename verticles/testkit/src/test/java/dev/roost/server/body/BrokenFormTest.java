package dev.roost.server.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forms that are not what they say.
class BrokenFormTest {

  private static final String FORM = "multipart/form-data; boundary=owl";
  private static final String ENDS = "400 Bad Request: the form ends before its closing boundary\n";

  private static final String FIELD =
      """
      --owl\r
      Content-Disposition: form-data; name="name"\r
      \r
      owl""";

  private static final String FILE =
      """
      \r
      --owl\r
      Content-Disposition: form-data; name="song"; filename="song.txt"\r
      \r
      twit twoo""";

  private static final String END = "\r\n--owl--";

  private final LinkedBlockingQueue<String> files = new LinkedBlockingQueue<>();
  private final RouteSet routes = r -> r.post("/form", this::answer);

  @ParameterizedTest
  @EnumSource
  void one_that_ends_inside_a_file_is_400_at_once_and_leaves_nothing(Version version)
      throws Exception {
    try (var server = TestServer.serving(routes);
        var client = client(version);
        var log = Logged.everything()) {
      client.send(form(server, FIELD + FILE + END), BodyHandlers.ofString());
      var uploads = Objects.requireNonNull(Path.of(Patience.poll(files)).getParent());
      var answer = client.send(form(server, FIELD + FILE), BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).isEqualTo(ENDS);
      Patience.until("no file is left", () -> isEmpty(uploads));
      assertThat(log.warningsWith("Pipe closed|BrokenForm|/form")).isEmpty();
      assertThat(files).isEmpty();
    }
  }

  @Test
  void a_chunked_one_is_400_too_and_its_connection_goes_on() {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(
          head(FORM, "Transfer-Encoding: chunked") + chunk(FIELD) + chunk(FILE) + chunk(""));
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).isEqualTo(ENDS);
      var whole = FIELD + FILE + END;
      client.send(head(FORM, "Content-Length: " + whole.length()) + whole);
      assertThat(client.answer().body()).isEqualTo("owl");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", FIELD, FIELD + "\r\n--owl\r\n", FIELD + FILE + "\r\n--owl"})
  void one_without_its_closing_boundary_is_400(String body) {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head(FORM, "Transfer-Encoding: chunked") + (body.isEmpty() ? "" : chunk(body)));
      client.send(chunk(""));
      assertThat(client.answer().body()).isEqualTo(ENDS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 0", "X-Length: none"})
  void one_of_nothing_is_400(String length) {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head(FORM, length));
      assertThat(client.answer().body()).isEqualTo(ENDS);
      client.send(head("multipart/form-data", length));
      assertThat(client.answer().body()).contains("needs a boundary");
    }
  }

  @Test
  void a_boundary_inside_a_line_closes_nothing() {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      var body = FIELD + "--owl-- and more";
      client.send(head(FORM, "Content-Length: " + body.length()) + body);
      assertThat(client.answer().body()).isEqualTo(ENDS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 1_000, 70_000})
  void an_epilogue_is_ignored(int pieceBytes) {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      var whole = FIELD + END + "\r\n" + "twit".repeat(2_000);
      client.send(head(FORM, "Transfer-Encoding: chunked"));
      for (var at = 0; at < whole.length(); at += pieceBytes) {
        client.send(chunk(whole.substring(at, Math.min(whole.length(), at + pieceBytes))));
      }
      client.send(chunk(""));
      assertThat(client.answer().body()).isEqualTo("owl");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data",
        "multipart/form-data; boundary",
        "multipart/form-data; boundary=",
        "Multipart/Form-Data; charset=utf-8"
      })
  void one_without_a_boundary_is_400(String type) {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head(type, "Content-Length: 4") + "hoot");
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("needs a boundary");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "boundary=owl",
        "Boundary=\"owl\"",
        "charset=utf-8; boundary=owl",
        "boundary=owl;"
      })
  void a_boundary_may_be_written_in_several_ways(String parameters) {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      var whole = FIELD + FILE + END + "\r\nan epilogue, which nobody reads";
      var type = "multipart/form-data; " + parameters;
      client.send(head(type, "Content-Length: " + whole.length()) + whole);
      assertThat(client.answer().body()).isEqualTo("owl");
    }
  }

  @Test
  void a_malformed_part_is_400() {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head(FORM, "Content-Length: 30") + "not a boundary at all\r\n\r\nhoots");
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("the form");
    }
  }

  @Test
  void a_large_file_comes_whole_through_a_slow_disk() throws Exception {
    var song = "hoot".repeat(2 << 20);
    RouteSet large = r -> r.body(16 << 20).post("/form", c -> c.end(sizeOf(c)));
    try (var server = TestServer.serving(large);
        var client = client(Version.HTTP_2)) {
      var answer = client.send(form(server, FIELD + FILE + song + END), BodyHandlers.ofString());
      assertThat(answer.body()).isEqualTo(Integer.toString("twit twoo".length() + song.length()));
      Patience.until("nothing is held", () -> server.metric("roost_http_bodies_held_bytes") == 0);
    }
  }

  private void answer(RoutingContext request) {
    request.fileUploads().forEach(file -> files.add(file.uploadedFileName()));
    request.end(Objects.requireNonNullElse(request.request().getFormAttribute("name"), "none"));
  }

  private static String sizeOf(RoutingContext request) {
    var file = request.fileUploads().getFirst();
    var onDisk = request.vertx().fileSystem().propsBlocking(file.uploadedFileName()).size();
    assertThat(onDisk).isEqualTo(file.size());
    return Long.toString(onDisk);
  }

  private static boolean isEmpty(Path folder) {
    return Objects.requireNonNull(folder.toFile().list()).length == 0;
  }

  private static HttpRequest form(TestServer server, String body) {
    return HttpRequest.newBuilder(server.uri("/form"))
        .header("content-type", FORM)
        .POST(BodyPublishers.ofString(body, ISO_8859_1))
        .build();
  }

  private static String head(String type, String length) {
    return "POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%s\r\n\r\n"
        .formatted(type, length);
  }

  private static String chunk(String bytes) {
    return "%x\r\n%s\r\n".formatted(bytes.length(), bytes);
  }

  private static HttpClient client(Version version) {
    return HttpClient.newBuilder().sslContext(TrustAll.context()).version(version).build();
  }
}
