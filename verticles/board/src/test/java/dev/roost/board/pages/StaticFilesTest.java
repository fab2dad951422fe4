package dev.roost.board.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.board.ServedBoard;
import dev.roost.server.settings.StartRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticFilesTest {
  private static final Pattern SHEET = Pattern.compile("/static/[0-9a-f]{16}/roost\\.css");

  @Test
  void the_style_sheet_is_kept_for_ever_at_the_address_of_its_content(@TempDir Path folder) {
    try (var board = new ServedBoard(folder)) {
      var address =
          SHEET.matcher(board.get("/").body()).results().findFirst().orElseThrow().group();
      var sheet = board.get(address);

      assertThat(sheet.statusCode()).isEqualTo(200);
      assertThat(sheet.headers().firstValue("content-type")).hasValue("text/css; charset=utf-8");
      assertThat(sheet.headers().firstValue("cache-control").orElseThrow()).contains("immutable");
      assertThat(sheet.body()).contains("--paper: oklch(0.985 0.006 85)");
      var old = board.get("/static/0123456789abcdef/roost.css");
      assertThat(old.headers().firstValue("cache-control")).hasValue("no-cache");
      assertThat(old.body()).isEqualTo(sheet.body());
    }
  }

  @Test
  void who_understands_gzip_gets_less_than_eighteen_kilobytes(@TempDir Path folder) {
    try (var board = new ServedBoard(folder)) {
      var sheet = board.get("/static/0/roost.css", "accept-encoding", "br, gzip");

      assertThat(sheet.headers().firstValue("content-encoding")).hasValue("gzip");
      assertThat(sheet.headers().firstValueAsLong("content-length").orElseThrow())
          .isLessThan(18 * 1024);
      assertThat(sheet.headers().firstValue("vary")).hasValue("accept-encoding");
    }
  }

  @Test
  void a_webroot_that_cannot_be_read_or_has_no_style_sheet_is_refused(@TempDir Path folder) {
    assertThatThrownBy(() -> StaticFiles.read(folder.resolve("none")))
        .isInstanceOf(StartRefusal.class)
        .hasMessageEndingWith("is not a folder that can be read");
    assertThatThrownBy(() -> StaticFiles.read(folder))
        .isInstanceOf(StartRefusal.class)
        .hasMessageContaining("roost.css among them");
  }

  @Test
  void a_file_of_an_unknown_kind_is_refused(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("roost.css"), "");
    Files.writeString(folder.resolve("page.html"), "");

    assertThatThrownBy(() -> StaticFiles.read(folder))
        .isInstanceOf(StartRefusal.class)
        .hasMessageContaining("page.html");
  }
}
