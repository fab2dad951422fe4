package dev.roost.gate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Frames are written as hexadecimal digits, taken from RFC 9113 and RFC 7541 and not from the
/// code.
class Http2DialogueTest {
  private static final String PREFACE = hex("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final String SETTINGS = "000000" + "04" + "00" + "00000000";
  private static final String OK = "000001" + "01" + "04" + "00000001" + "88";
  private static final String HELLO = "000005" + "00" + "01" + "00000001" + hex("Hello");

  private final Http2Dialogue dialogue =
      new Http2Dialogue(new Asking(Protocol.HTTP2, "/", Expected.body("Hello")), "localhost:9443");
  private final List<String> replies = new ArrayList<>();

  @Test
  void the_first_question_begins_with_the_preface_and_settings() {
    var settings = "000012" + "04" + "00" + "00000000" + "000100000000000200000000000400100000";
    var fields = "828784" + "010e" + hex("localhost:9443");
    assertThat(ByteBufUtil.hexDump(dialogue.question()))
        .isEqualTo(PREFACE + settings + "000013" + "01" + "05" + "00000001" + fields);
  }

  @Test
  void later_questions_are_one_frame_on_the_next_stream() {
    dialogue.question();
    assertThat(ByteBufUtil.hexDump(dialogue.question())).startsWith("000013" + "0105" + "00000003");
  }

  @Test
  void a_path_is_a_literal_field() {
    var bytes = Frames.get(1, "/a", "b");
    assertThat(ByteBufUtil.hexDump(bytes)).endsWith("8287" + "04022f61" + "010162");
  }

  @Test
  void an_answer_behind_the_servers_settings_is_good() {
    assertThat(answer(SETTINGS + OK + HELLO)).isEqualTo("GOOD");
    assertThat(replies).containsExactly("000000" + "04" + "01" + "00000000");
  }

  @Test
  void every_part_of_an_answer_is_not_whole() {
    String answer = SETTINGS + OK + HELLO;
    dialogue.question();
    var bytes = Unpooled.buffer();
    for (byte next : ByteBufUtil.decodeHexDump(answer.substring(0, answer.length() - 2))) {
      assertThat(dialogue.answer(bytes.writeByte(next), this::reply)).isEmpty();
    }
    assertThat(dialogue.answer(bytes.writeByte('o'), this::reply)).contains(Outcome.GOOD);
  }

  @Test
  void a_200_is_known_in_each_of_its_forms() {
    for (String form : List.of("88", "0803323030", "4803323030", "08821001", "2088")) {
      var head = "%06x".formatted(form.length() / 2) + "0104" + "00000001" + form;
      var fresh = new Http2DialogueTest();
      assertThat(fresh.answer(head + HELLO)).as(form).isEqualTo("GOOD");
    }
  }

  @Test
  void another_status_or_body_is_told() {
    assertThat(answer("000001" + "0105" + "00000001" + "8d")).isEqualTo("WRONG_STATUS");
    assertThat(new Http2DialogueTest().answer(OK + HELLO.replace(hex("Hello"), hex("Hella"))))
        .isEqualTo("WRONG_BODY");
  }

  @Test
  void padding_and_priority_are_no_part_of_an_answer() {
    var head = "000008" + "01" + "2c" + "00000001" + "01" + "0000000010" + "88" + "00";
    var data = "000008" + "00" + "09" + "00000001" + "02" + hex("Hello") + "0000";
    assertThat(answer(head + data)).isEqualTo("GOOD");
  }

  @Test
  void a_ping_is_answered_with_its_own_bytes() {
    dialogue.question();
    var ping = bytes("000008" + "06" + "00" + "00000000" + "0102030405060708");
    assertThat(dialogue.unasked(ping, this::reply)).isTrue();
    assertThat(replies).containsExactly("000008" + "06" + "01" + "00000000" + "0102030405060708");
  }

  @Test
  void the_connections_window_is_filled_up_while_a_long_body_comes() {
    dialogue.question();
    var data = "004000" + "00" + "00" + "00000001" + "61".repeat(16_384);
    assertThat(dialogue.answer(bytes(OK + data), this::reply)).isEmpty();
    assertThat(replies).containsExactly("000004" + "08" + "00" + "00000000" + "00004000");
  }

  @Test
  void what_only_answers_may_carry_disturbs_an_idle_connection() {
    dialogue.question();
    for (String type : List.of("00", "01", "03", "05", "07", "09")) {
      assertThat(dialogue.unasked(bytes("000000" + type + "00" + "00000001"), this::reply))
          .as("frame type " + type)
          .isFalse();
    }
    assertThat(dialogue.unasked(bytes("000004" + "0800" + "00000000" + "00000001"), this::reply))
        .isTrue();
  }

  @Test
  void a_reset_stream_a_refusing_goaway_and_a_frame_too_long_end_the_question() {
    assertThat(answer("000004" + "0300" + "00000001" + "00000007")).isEqualTo("CLOSED");
    assertThat(answer("000008" + "0700" + "00000000" + "0000000100000000")).isEqualTo("CLOSED");
    assertThat(answer("004001" + "00")).isEqualTo("MALFORMED");
  }

  private String answer(String hex) {
    dialogue.question();
    return dialogue.answer(bytes(hex), this::reply).map(Outcome::name).orElse("");
  }

  private void reply(ByteBuf bytes) {
    replies.add(ByteBufUtil.hexDump(bytes));
  }

  private static ByteBuf bytes(String hex) {
    return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
  }

  private static String hex(String text) {
    return ByteBufUtil.hexDump(text.getBytes(StandardCharsets.US_ASCII));
  }
}
