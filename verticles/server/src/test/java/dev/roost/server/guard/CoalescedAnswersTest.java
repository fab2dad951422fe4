package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class CoalescedAnswersTest {

  private final EmbeddedChannel channel = new EmbeddedChannel(new CoalescedAnswers(1_024));

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

  /// Answers of 400 bytes.
  private void write(int answers) {
    for (var i = 0; i < answers; i++) {
      var _ = channel.write(Unpooled.wrappedBuffer(new byte[400]));
    }
  }
}
