package dev.roost.server.park.lean;

import dev.roost.server.lean.LeanState;
import dev.roost.server.lean.LeanState.Side;
import dev.roost.server.lean.Suite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What is kept of lean-parked connections: 113 bytes each, outside the Java heap, where no
/// collector leaves copies behind when it moves things. A slot is zeroed when it is taken.
///
/// Thread-safe as long as no two threads use the same slot at once.
public final class LeanSlots {

  private static final int READ_AT = Byte.BYTES;
  private static final int SIDE_BYTES = Long.BYTES + Suite.SECRET_BYTES_MAX;
  private static final int WRITE_AT = READ_AT + SIDE_BYTES;
  private static final int SLOT_BYTES = WRITE_AT + SIDE_BYTES;
  private static final int SUITE_MASK = 3;
  private static final int ALPN_SHIFT = 2;

  /// Freed when nothing refers to it any more.
  private final MemorySegment memory;

  /// @param slots how many
  public LeanSlots(int slots) {
    memory = Arena.ofAuto().allocate((long) slots * SLOT_BYTES);
  }

  /// Keeps `lean`, which is of no use afterwards.
  public void put(int slot, KeptLean lean) {
    var state = lean.state();
    var at = (long) slot * SLOT_BYTES;
    var kind = state.suite().code() | (lean.alpn().code() << ALPN_SHIFT);
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) kind);
    put(at + READ_AT, state.read());
    put(at + WRITE_AT, state.write());
    state.wipe();
  }

  /// Gives back what was kept, and zeroes the slot.
  public KeptLean take(int slot) {
    var at = (long) slot * SLOT_BYTES;
    var kind = memory.get(ValueLayout.JAVA_BYTE, at);
    var suite = Suite.coded(kind & SUITE_MASK);
    var state = new LeanState(suite, get(at + READ_AT, suite), get(at + WRITE_AT, suite));
    memory.asSlice(at, SLOT_BYTES).fill((byte) 0);
    return new KeptLean(state, Alpn.coded(kind >> ALPN_SHIFT));
  }

  private void put(long at, Side side) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, side.sequence());
    var secret = MemorySegment.ofArray(side.secret());
    memory.asSlice(at + Long.BYTES, secret.byteSize()).copyFrom(secret);
  }

  private Side get(long at, Suite suite) {
    var secret = memory.asSlice(at + Long.BYTES, suite.secretBytes());
    return new Side(
        secret.toArray(ValueLayout.JAVA_BYTE), memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
  }
}
