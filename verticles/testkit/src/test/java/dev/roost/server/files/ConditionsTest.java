package dev.roost.server.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Conditions in every form in which a client may write them (RFC 9110, 13.1). `TAG` stands for the
/// tag of the file, and a bar for the end of a line.
class ConditionsTest {

  private TestServer server;
  private String tag;

  @BeforeEach
  void serve(@TempDir Path folder) throws IOException {
    var song = Files.writeString(folder.resolve("song.txt"), "twit twoo");
    Files.setLastModifiedTime(song, FileTime.from(Instant.parse("1994-11-06T08:49:37.5Z")));
    server = TestServer.serving(routes -> routes.files("/files/*", folder));
    tag = server.get("/files/song.txt").headers().firstValue("etag").orElseThrow();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "'If-None-Match: \"a\"|If-None-Match: TAG', 304",
    "'If-None-Match: TAG|If-None-Match: \"a\"', 304",
    "'If-None-Match: \"a\", \"b\"|If-None-Match: \"c\" , W/TAG', 304",
    "'If-None-Match: \"a\"|If-None-Match: \"b\"', 200",
    "'If-None-Match: \"a,b\"', 200",
    "'If-Match: \"a\"|If-Match: TAG', 200",
    "'If-Match: TAG|If-Match: \"a\"', 200",
    "'If-Match: \"a\"|If-Match: W/TAG', 412",
    "'If-Match: \"a\"|If-Match: \"b\"', 412"
  })
  void several_lines_are_one_list(String lines, int status) {
    assertThat(ask(lines).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void a_date_may_have_any_of_three_forms(String date) {
    assertThat(ask("If-Modified-Since: " + date).status()).isEqualTo(304);
    assertThat(ask("If-Unmodified-Since: " + date).status()).isEqualTo(200);
    var part = ask("Range: bytes=0-3|If-Range: " + date);
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("twit");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sat, 05 Nov 1994 08:49:37 GMT",
        "Saturday, 05-Nov-94 08:49:37 GMT",
        "Sat Nov  5 08:49:37 1994"
      })
  void an_older_date_is_older_in_any_of_them(String date) {
    assertThat(ask("If-Modified-Since: " + date).status()).isEqualTo(200);
    assertThat(ask("If-Unmodified-Since: " + date).status()).isEqualTo(412);
    assertThat(ask("Range: bytes=0-3|If-Range: " + date).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "Sun, 31 Nov 1994 08:49:37 GMT", "0", "Sun Nov 6"})
  void a_date_that_is_none_is_ignored(String date) {
    assertThat(ask("If-Modified-Since: " + date).status()).isEqualTo(200);
    assertThat(ask("If-Unmodified-Since: " + date).status()).isEqualTo(200);
    assertThat(ask("Range: bytes=0-3|If-Range: " + date).status()).isEqualTo(200);
  }

  private RawConnection.Answer ask(String lines) {
    try (var client = RawConnection.to(server)) {
      client.send(
          "GET /files/song.txt HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n"
              .formatted(lines.replace("TAG", tag).replace("|", "\r\n")));
      return client.answer();
    }
  }
}
