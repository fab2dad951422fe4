package dev.roost.gate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerReaderTest {
  private static final String GOOD =
      "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nHello";
  private final AnswerReader reader = new AnswerReader(Expected.body("Hello"));

  @Test
  void a_200_with_the_expected_body_is_good() {
    var bytes = bytes(GOOD);
    assertThat(reader.read(bytes)).contains(Outcome.GOOD);
    assertThat(bytes.isReadable()).isFalse();
  }

  @Test
  void every_part_of_an_answer_is_not_whole() {
    for (int length = 0; length < GOOD.length(); length++) {
      var part = bytes(GOOD.substring(0, length));
      assertThat(reader.read(part)).as(part.toString(StandardCharsets.US_ASCII)).isEmpty();
      assertThat(part.readableBytes()).isEqualTo(length);
    }
  }

  @Test
  void only_one_answer_is_read() {
    var bytes = bytes(GOOD + GOOD);
    assertThat(reader.read(bytes)).contains(Outcome.GOOD);
    assertThat(bytes.readableBytes()).isEqualTo(GOOD.length());
    assertThat(reader.read(bytes)).contains(Outcome.GOOD);
  }

  @Test
  void header_names_may_have_any_case_and_a_status_no_words() {
    assertThat(reader.read(bytes("HTTP/1.1 200\r\ncontent-length:5\r\n\r\nHello")))
        .contains(Outcome.GOOD);
  }

  @Test
  void another_body_is_wrong() {
    assertThat(reader.read(bytes(GOOD.replace("Hello", "Jello")))).contains(Outcome.WRONG_BODY);
    assertThat(reader.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nHell")))
        .contains(Outcome.WRONG_BODY);
  }

  @Test
  void another_status_is_wrong_whatever_the_body() {
    assertThat(reader.read(bytes(GOOD.replace("200 OK", "500 Sorry"))))
        .contains(Outcome.WRONG_STATUS);
  }

  @Test
  void what_is_no_http_1_1_with_one_length_is_malformed() {
    assertThat(reader.read(bytes("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nHello")))
        .contains(Outcome.MALFORMED);
    assertThat(reader.read(bytes("HTTP/1.1 200 OK\r\n\r\nHello"))).contains(Outcome.MALFORMED);
    assertThat(
            reader.read(
                bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nHello")))
        .contains(Outcome.MALFORMED);
    assertThat(reader.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")))
        .contains(Outcome.MALFORMED);
  }

  @Test
  void a_head_without_end_is_malformed() {
    assertThat(reader.read(bytes("x".repeat(16 * 1024)))).isEmpty();
    assertThat(reader.read(bytes("x".repeat(16 * 1024 + 1)))).contains(Outcome.MALFORMED);
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII));
  }
}
