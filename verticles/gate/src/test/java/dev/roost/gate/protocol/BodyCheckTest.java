package dev.roost.gate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BodyCheckTest {

  @Test
  void a_body_is_compared_to_its_last_byte() {
    assertThat(isGood(Expected.body("Hello"), "He", "", "llo")).isTrue();
    assertThat(isGood(Expected.body("Hello"), "Hell")).isFalse();
    assertThat(isGood(Expected.body("Hello"), "Hello", "!")).isFalse();
    assertThat(isGood(Expected.body("Hello"), "Hallo")).isFalse();
  }

  @Test
  void a_body_is_told_by_its_end_however_it_is_cut() {
    assertThat(isGood(Expected.end("</html>"), "<html>any</ht", "m", "l>")).isTrue();
    assertThat(isGood(Expected.end("</html>"), "</html>")).isTrue();
    assertThat(isGood(Expected.end("</html>"), "</html>", "\n\n")).isTrue();
    assertThat(isGood(Expected.end("</html>"), "</html>", "!")).isFalse();
    assertThat(isGood(Expected.end("</html>"), "l>")).isFalse();
  }

  private static boolean isGood(Expected expected, String... parts) {
    var check = new BodyCheck(expected);
    for (String part : parts) {
      check.add(Unpooled.copiedBuffer(part, StandardCharsets.UTF_8));
    }
    return check.isGood();
  }
}
