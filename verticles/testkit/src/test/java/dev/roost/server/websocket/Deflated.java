package dev.roost.server.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// The client's side of permessage-deflate (RFC 7692, 7.2): each message uses the window of those
/// before.
final class Deflated {

  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  /// How a message without a byte is sent (7.2.3.6).
  private static final byte[] EMPTY = {0};

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final Inflater inflater = new Inflater(true);

  byte[] of(String text) {
    return of(text.getBytes(UTF_8));
  }

  byte[] of(byte[] bytes) {
    deflater.setInput(bytes);
    var deflated = drain(deflater, Deflater.SYNC_FLUSH);
    return deflated.length == 0 ? EMPTY : part(deflated, 0, deflated.length - TAIL.length);
  }

  /// A message whose last block says that it is the last, which takes one more byte (7.2.3.4).
  static byte[] finished(String text) {
    var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    deflater.setInput(text.getBytes(UTF_8));
    deflater.finish();
    var block = drain(deflater, Deflater.NO_FLUSH);
    return Arrays.copyOf(block, block.length + 1);
  }

  /// As small as so many bytes can be.
  static byte[] zeros(int bytes) {
    var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    var deflated = new ByteArrayOutputStream();
    var chunk = new byte[1 << 20];
    for (var rest = bytes; rest > 0; rest -= chunk.length) {
      deflater.setInput(chunk, 0, Math.min(rest, chunk.length));
      deflated.writeBytes(drain(deflater, Deflater.SYNC_FLUSH));
    }
    return part(deflated.toByteArray(), 0, deflated.size() - TAIL.length);
  }

  /// The text of a compressed text frame as [dev.roost.testkit.RawSocket#next] tells it.
  String inflate(String frame) {
    if (!frame.startsWith("text*:")) {
      throw new AssertionError(frame);
    }
    var input = new ByteArrayOutputStream();
    input.writeBytes(Case.bytes(frame.substring(frame.indexOf(':') + 1)));
    input.writeBytes(TAIL);
    inflater.setInput(input.toByteArray());
    var text = new ByteArrayOutputStream();
    var chunk = new byte[8_192];
    try {
      for (var n = inflater.inflate(chunk); n > 0; n = inflater.inflate(chunk)) {
        text.write(chunk, 0, n);
      }
    } catch (DataFormatException failure) {
      throw new AssertionError(failure);
    }
    return text.toString(UTF_8);
  }

  static byte[] part(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static byte[] drain(Deflater deflater, int flush) {
    var deflated = new ByteArrayOutputStream();
    var chunk = new byte[8_192];
    for (var n = deflater.deflate(chunk, 0, chunk.length, flush); n > 0; ) {
      deflated.write(chunk, 0, n);
      n = deflater.deflate(chunk, 0, chunk.length, flush);
    }
    return deflated.toByteArray();
  }
}
