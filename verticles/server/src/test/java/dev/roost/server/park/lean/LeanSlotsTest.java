package dev.roost.server.park.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.roost.server.lean.LeanState;
import dev.roost.server.lean.LeanState.Side;
import dev.roost.server.lean.Suite;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is put into a slot comes out of it, and nothing stays.
class LeanSlotsTest {

  private final LeanSlots slots = new LeanSlots(3);

  @ParameterizedTest
  @EnumSource
  void a_slot_gives_back_what_was_put_into_it(Suite suite) {
    for (var alpn : Alpn.values()) {
      slots.put(0, lean(suite, 1, alpn));
      slots.put(1, lean(suite, 2, alpn));
      slots.put(2, lean(suite, 3, alpn));
      var taken = slots.take(1);
      assertThat(taken.alpn()).isEqualTo(alpn);
      assertThat(taken.state().suite()).isEqualTo(suite);
      assertThat(taken.state().read().sequence()).isEqualTo(Long.MAX_VALUE - 2);
      assertThat(taken.state().write().sequence()).isEqualTo(2);
      assertThat(taken.state().read().secret()).containsOnly(2).hasSize(suite.secretBytes());
      assertThat(taken.state().write().secret()).containsOnly(102).hasSize(suite.secretBytes());
    }
  }

  @Test
  void secrets_are_zeroed_where_they_came_from() {
    var lean = lean(Suite.TLS_AES_256_GCM_SHA384, 7, Alpn.NONE);
    slots.put(0, lean);
    assertThat(lean.state().read().secret()).containsOnly(0);
    assertThat(lean.state().write().secret()).containsOnly(0);
  }

  @Test
  void an_empty_slot_has_nothing_to_give() {
    slots.put(0, lean(Suite.TLS_AES_128_GCM_SHA256, 7, Alpn.NONE));
    slots.take(0);
    assertThatIllegalArgumentException().isThrownBy(() -> slots.take(0));
  }

  private static KeptLean lean(Suite suite, int seed, Alpn alpn) {
    var read = new byte[suite.secretBytes()];
    var write = new byte[suite.secretBytes()];
    Arrays.fill(read, (byte) seed);
    Arrays.fill(write, (byte) (100 + seed));
    return new KeptLean(
        new LeanState(suite, new Side(read, Long.MAX_VALUE - seed), new Side(write, seed)), alpn);
  }
}
