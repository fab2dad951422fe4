package dev.roost.gate.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Compares one body with the expected one while it comes in, without keeping it. Confined to one
/// thread; used once.
final class BodyCheck {
  /// Most bytes of white space that may follow an expected end.
  private static final int WHITE_MAX = 8;

  private final byte[] expected;
  private final boolean whole;
  private byte[] last = {};
  private long length;
  private boolean same = true;

  BodyCheck(Expected body) {
    this.expected = body.text().getBytes(StandardCharsets.UTF_8);
    this.whole = body.whole();
  }

  /// Takes the next part, all that `part` has; its reader index stays.
  void add(ByteBuf part) {
    byte[] bytes = new byte[part.readableBytes()];
    part.getBytes(part.readerIndex(), bytes);
    if (whole) {
      compare(bytes);
    } else {
      keepEnd(bytes);
    }
    length += bytes.length;
  }

  private void compare(byte[] bytes) {
    same &=
        length + bytes.length <= expected.length
            && Arrays.equals(
                bytes, 0, bytes.length, expected, (int) length, (int) length + bytes.length);
  }

  private void keepEnd(byte[] bytes) {
    byte[] joined = Arrays.copyOf(last, last.length + bytes.length);
    System.arraycopy(bytes, 0, joined, last.length, bytes.length);
    int kept = Math.min(joined.length, expected.length + WHITE_MAX);
    last = Arrays.copyOfRange(joined, joined.length - kept, joined.length);
  }

  /// Whether what has been added is the expected body.
  boolean isGood() {
    return whole ? same && length == expected.length : endsWell();
  }

  private boolean endsWell() {
    var end = new String(last, StandardCharsets.UTF_8).stripTrailing();
    return end.endsWith(new String(expected, StandardCharsets.UTF_8));
  }
}
