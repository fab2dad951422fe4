package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of one folder: served whole and in part, and nothing besides them.
class FilesTest {

  @TempDir private Path home;

  private TestServer server;

  @BeforeEach
  void serve() throws IOException {
    var served = Files.createDirectories(home.resolve("served"));
    Files.writeString(served.resolve("song.txt"), "twit twoo");
    Files.writeString(served.resolve(".hidden"), "secret");
    Files.writeString(home.resolve("outside.txt"), "secret");
    server = TestServer.serving(routes -> routes.files("/files/*", served));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_file_is_served_with_its_type() {
    var answer = server.get("/files/song.txt");
    assertThat(answer.body()).isEqualTo("twit twoo");
    assertThat(answer.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
  }

  @Test
  void a_range_is_served_as_206() {
    var request =
        HttpRequest.newBuilder(server.uri("/files/song.txt")).header("range", "bytes=5-8");
    var answer = server.send(request);
    assertThat(answer.statusCode()).isEqualTo(206);
    assertThat(answer.body()).isEqualTo("twoo");
    assertThat(answer.headers().firstValue("content-range")).hasValue("bytes 5-8/9");
  }

  @Test
  void a_file_that_has_not_changed_is_304() {
    var modified =
        server.get("/files/song.txt").headers().firstValue("last-modified").orElseThrow();
    var request =
        HttpRequest.newBuilder(server.uri("/files/song.txt")).header("if-modified-since", modified);
    assertThat(server.send(request).statusCode()).isEqualTo(304);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/files/.hidden",
        "/files/../outside.txt",
        "/files/%2e%2e/outside.txt",
        "/files/..%2foutside.txt",
        "/files/..%5coutside.txt",
        "/files/x/..%252f..%252foutside.txt",
        "/files/",
        "/files/nothing.txt"
      })
  void what_is_hidden_outside_or_absent_is_404(String path) {
    var answer = server.get(path);
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).doesNotContain("secret", "song");
  }
}
