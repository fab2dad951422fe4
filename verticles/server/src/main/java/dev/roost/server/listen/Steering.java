package dev.roost.server.listen;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/// A program for the kernel that picks the socket of a new connection: a random one of some slots.
/// It is classic BPF (bpf(4), linux/filter.h): a random number, its remainder by the number of
/// slots, and a comparison for each. The number of a socket in its group is the order in which it
/// began to listen. Immutable.
final class Steering {

  static final int SLOTS_MAX = 64;

  /// `struct sock_filter`: code, two relative jumps, operand.
  static final int INSTRUCTION_BYTES = 8;

  static final short LOAD_WORD = 0x20;
  static final short REMAINDER = 0x94;
  static final short JUMP_IF_EQUAL = 0x15;
  static final short RETURN = 0x06;

  /// SKF_AD_OFF + SKF_AD_RANDOM.
  static final int RANDOM = -0x1000 + 56;

  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_REUSEPORT_CBPF = 51;

  /// `struct sock_fprog` of 64-bit systems: a number, a gap, a pointer.
  private static final int PROGRAM_BYTES = 16;

  private static final int PROGRAM_POINTER = 8;

  private final ByteBuffer program;

  private Steering(ByteBuffer program) {
    this.program = program;
  }

  /// @param slots not empty, each below [#SLOTS_MAX]
  static Steering to(BitSet slots) {
    int all = slots.cardinality();
    if (all == 0 || slots.length() > SLOTS_MAX) {
      throw new IllegalArgumentException("slots: %s are not 1 to 64".formatted(slots));
    }
    var program =
        ByteBuffer.allocate((1 + 2 * all) * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
    put(program, LOAD_WORD, 0, RANDOM);
    put(program, REMAINDER, 0, all);
    int last = slots.length() - 1;
    int number = 0;
    for (var slot = slots.nextSetBit(0); slot < last; slot = slots.nextSetBit(slot + 1)) {
      put(program, JUMP_IF_EQUAL, 1, number++);
      put(program, RETURN, 0, slot);
    }
    put(program, RETURN, 0, last);
    return new Steering(program.flip());
  }

  /// The instructions.
  ByteBuffer program() {
    return program.asReadOnlyBuffer().order(program.order());
  }

  /// Replaces the program of the group that `socket` belongs to; the kernel keeps a copy.
  void attach(Socket socket) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var filter = arena.allocate(program.limit(), Long.BYTES);
      filter.copyFrom(MemorySegment.ofBuffer(program.duplicate()));
      var option = ByteBuffer.allocate(PROGRAM_BYTES).order(ByteOrder.nativeOrder());
      option.putShort(0, (short) (program.limit() / INSTRUCTION_BYTES));
      option.putLong(PROGRAM_POINTER, filter.address());
      socket.setRawOpt(SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, option);
    }
  }

  /// @param otherwise instructions to skip if the comparison fails
  private static void put(ByteBuffer program, short code, int otherwise, int operand) {
    program.putShort(code).put((byte) 0).put((byte) otherwise).putInt(operand);
  }
}
