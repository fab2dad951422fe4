package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class PacedAnswersTest {

  private final EmbeddedChannel channel = new EmbeddedChannel(new PacedAnswers(1_024));

  @Test
  void answers_wait_for_the_end_of_the_turn() {
    write(2);
    assertThat(channel.outboundMessages()).isEmpty();
    channel.flush();
    assertThat(channel.outboundMessages()).hasSize(2);
  }

  @Test
  void beyond_the_bound_they_go_out_at_once() {
    write(3);
    assertThat(channel.outboundMessages()).hasSize(3);
    write(2);
    assertThat(channel.outboundMessages()).hasSize(3);
  }

  @Test
  void a_big_answer_goes_in_portions_and_nothing_overtakes_it() {
    var written = channel.write(Unpooled.wrappedBuffer(new byte[100_000]));
    write(1);
    channel.flush();
    assertThat(channel.outboundMessages())
        .extracting(portion -> ((ByteBuf) portion).readableBytes())
        .containsExactly(32_768, 32_768, 32_768, 1_696, 400);
    assertThat(written.isSuccess()).isTrue();
  }

  @Test
  void what_waits_is_given_up_when_the_connection_closes() {
    var big = Unpooled.wrappedBuffer(new byte[100_000]);
    var stalled = new EmbeddedChannel(new PacedAnswers(1 << 20));
    var written = stalled.write(big);
    var _ = stalled.close();
    assertThat(written.isSuccess()).isFalse();
    assertThat(big.refCnt()).isZero();
  }

  /// Answers of 400 bytes.
  private void write(int answers) {
    for (var i = 0; i < answers; i++) {
      var _ = channel.write(Unpooled.wrappedBuffer(new byte[400]));
    }
  }
}
