package dev.roost.server.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What the program answers, as the kernel would run it.
class SteeringTest {

  @Test
  void every_slot_is_hit_as_often_and_no_other_is() {
    var random = new Random(7);
    for (var round = 0; round < 500; round++) {
      var slots = new BitSet();
      IntStream.range(0, 64).filter(_ -> random.nextInt(4) == 0).forEach(slots::set);
      slots.set(random.nextInt(64));
      var program = Steering.to(slots).program();
      var hits = new BitSet();
      for (var number = 0; number < slots.cardinality(); number++) {
        hits.set(run(program, slots.cardinality() * random.nextInt(1_000) + number));
      }
      assertThat(hits).isEqualTo(slots);
    }
  }

  @Test
  void there_must_be_somebody_to_steer_to() {
    assertThatThrownBy(() -> Steering.to(new BitSet())).hasMessageContaining("slots: {}");
  }

  /// Four instructions are enough.
  private static int run(ByteBuffer program, int random) {
    int register = 0;
    for (var at = 0; ; at += Steering.INSTRUCTION_BYTES) {
      int operand = program.getInt(at + 4);
      switch (program.getShort(at)) {
        case Steering.LOAD_WORD -> {
          assertThat(operand).isEqualTo(Steering.RANDOM);
          register = random;
        }
        case Steering.REMAINDER -> register = Integer.remainderUnsigned(register, operand);
        case Steering.JUMP_IF_EQUAL ->
            at += Steering.INSTRUCTION_BYTES * program.get(at + (register == operand ? 2 : 3));
        case Steering.RETURN -> {
          return operand;
        }
        default -> throw new AssertionError("instruction " + program.getShort(at));
      }
    }
  }
}
