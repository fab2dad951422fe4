package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Request bodies that are too many, too large or broken.
class BodiesTest {

  private static final RouteSet ECHO =
      routes -> routes.post("/echo", request -> request.end(request.body().buffer()));

  private static final String FORM_TYPE = "multipart/form-data; boundary=owl";

  private static final String HALF_A_FORM =
      """
      --owl\r
      Content-Disposition: form-data; name="name"\r
      \r
      owl\r
      --owl\r
      Content-Disposition: form-data; name="song"; filename="../../song.txt"\r
      Content-Type: text/plain\r
      \r
      twit twoo""";

  private final LinkedBlockingQueue<String> files = new LinkedBlockingQueue<>();

  @Test
  void a_body_announced_too_large_is_refused_and_its_connection_closed() {
    try (var server = TestServer.serving(ECHO);
        var client = RawConnection.to(server)) {
      client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n");
      assertThat(client.statusLine()).isEqualTo("HTTP/1.1 413 Request Entity Too Large");
      assertThat(client.rest()).contains("connection: close");
    }
  }

  @Test
  void a_broken_chunk_is_400() {
    try (var server = TestServer.serving(ECHO);
        var client = RawConnection.to(server)) {
      client.send(
          "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n");
      assertThat(client.statusLine()).isEqualTo("HTTP/1.1 400 Bad Request");
    }
  }

  @Test
  void a_route_has_a_bound_of_its_own() {
    RouteSet routes = r -> ECHO.mount(r.body(4));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.post("/echo", "hoot").body()).isEqualTo("hoot");
      assertThat(server.sendAlone(post(server, "/echo", "hoots")).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void a_body_waits_for_a_filter_that_takes_its_time() {
    RouteSet routes = r -> ECHO.mount(r.filter(c -> c.vertx().setTimer(100, _ -> c.next())));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.post("/echo", "hoot").body()).isEqualTo("hoot");
    }
  }

  @Test
  void a_form_has_its_fields_and_its_files_until_it_is_answered() {
    RouteSet routes =
        r -> r.post("/form", c -> c.end(c.request().getFormAttribute("name") + read(c)));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.send(form(server)).body()).isEqualTo("owltwit twoo");
      var file = file(files.remove());
      Patience.until("the file is deleted", () -> Files.notExists(file));
    }
  }

  @Test
  void a_form_whose_client_leaves_before_the_answer_leaves_no_file() {
    RouteSet routes = r -> r.post("/form", this::read);
    try (var server = TestServer.serving(routes)) {
      var answer = server.client().sendAsync(form(server).build(), BodyHandlers.ofString());
      var file = file(Patience.poll(files));
      assertThat(file).hasContent("twit twoo");
      answer.cancel(true);
      Patience.until("the file is deleted", () -> Files.notExists(file));
    }
  }

  @Test
  void half_a_form_leaves_no_file() {
    try (var server = TestServer.serving(routes -> routes.post("/form", c -> c.end(read(c))))) {
      server.send(form(server));
      var uploads = folderOf(files.remove());
      try (var client = RawConnection.to(server)) {
        client.send(head("Content-Length: 5000\r\nContent-Type: " + FORM_TYPE) + HALF_A_FORM);
        Patience.until("the file is there", () -> count(uploads) == 1);
      }
      Patience.until("it is deleted", () -> count(uploads) == 0);
    }
  }

  @Test
  void a_server_that_has_stopped_leaves_no_folder() {
    try (var server = TestServer.serving(routes -> routes.post("/form", c -> c.end(read(c))))) {
      server.send(form(server));
    }
    assertThat(folderOf(files.remove())).doesNotExist();
  }

  @Test
  void a_form_beyond_the_bound_is_413_and_leaves_no_file() {
    RouteSet routes = r -> r.body(100).post("/form", c -> c.end(read(c)));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.sendAlone(form(server)).statusCode()).isEqualTo(413);
      assertThat(files).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"/refused,401", "/nowhere,404", "/echo?,413"})
  void an_early_answer_does_not_hold_a_connection_that_sends_for_ever(String path, int status) {
    RouteSet routes = r -> ECHO.mount(r.filter(BodiesTest::refuseSome));
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head(path, "Content-Length: " + (status == 413 ? 50_000_000 : 9_000_000)) + "x");
      assertThat(client.statusLine()).startsWith("HTTP/1.1 " + status);
      assertThat(client.rest()).isNotEmpty(); // which ends with the connection
    }
  }

  @Test
  void a_post_without_a_body_may_wait_for_a_filter_too() {
    RouteSet routes = r -> ECHO.mount(r.filter(c -> c.vertx().setTimer(20, _ -> c.next())));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.post("/echo", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void an_early_answer_keeps_the_connection_of_a_client_that_sends_the_rest() {
    RouteSet routes = r -> ECHO.mount(r.filter(BodiesTest::refuseSome));
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head("/refused", "Content-Length: 4"));
      assertThat(client.answer().status()).isEqualTo(401);
      client.send("hoot" + head("/echo", "Content-Length: 4") + "twit");
      assertThat(client.answer().body()).isEqualTo("twit");
    }
  }

  @ParameterizedTest
  @CsvSource({"/echo,4,100 Continue", "/echo,50000000,413", "/refused,4,401", "/streamed,4,100"})
  void a_client_that_asks_first_is_told(String path, int length, String first) {
    RouteSet routes =
        r -> {
          ECHO.mount(r.filter(BodiesTest::refuseSome));
          r.streaming().post("/streamed", c -> c.request().body().onSuccess(c::end));
        };
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(head(path, "Expect: 100-continue\r\nContent-Length: " + length));
      assertThat(client.statusLine()).startsWith("HTTP/1.1 " + first);
      client.send("hoot");
      if (first.startsWith("100")) {
        assertThat(client.statusLine()).isEmpty();
        assertThat(client.answer().body()).isEqualTo("hoot");
      }
    }
  }

  private static void refuseSome(RoutingContext request) {
    if (request.normalizedPath().equals("/refused")) {
      request.response().setStatusCode(401).end("refused");
    } else {
      request.next();
    }
  }

  private String read(RoutingContext request) {
    var upload = request.fileUploads().getFirst();
    files.add(upload.uploadedFileName());
    return request.vertx().fileSystem().readFileBlocking(upload.uploadedFileName()).toString();
  }

  private static Path folderOf(String name) {
    return Objects.requireNonNull(file(name).getParent());
  }

  private static Path file(String name) {
    return Path.of(name);
  }

  private static long count(Path folder) {
    try (var files = Files.list(folder)) {
      return files.count();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static HttpRequest.Builder form(TestServer server) {
    return post(server, "/form", HALF_A_FORM + "\r\n--owl--\r\n").header("content-type", FORM_TYPE);
  }

  private static HttpRequest.Builder post(TestServer server, String path, String body) {
    return HttpRequest.newBuilder(server.uri(path)).POST(BodyPublishers.ofString(body));
  }

  private static String head(String headers) {
    return head("/form", headers);
  }

  private static String head(String path, String headers) {
    return "POST %s HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n".formatted(path, headers);
  }
}
