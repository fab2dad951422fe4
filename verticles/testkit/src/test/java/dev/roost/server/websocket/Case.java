package dev.roost.server.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.roost.testkit.RawSocket;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One row of the table of RFC 6455: what is sent to an echo, and what has to come back.
///
/// @param name with the number Autobahn's suite gives to such a case
/// @param sent each element in a write of its own
/// @param frames as [RawSocket#next] tells them; of a close frame the beginning is enough
record Case(String name, List<byte[]> sent, List<String> frames) {

  static final int FINAL = 0x80;
  static final int MORE = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /// What is sent, before it is known what has to come back.
  record Sending(String name, List<byte[]> sent) {

    Case gives(String... frames) {
      return new Case(name, sent, List.of(frames));
    }

    /// The same bytes in writes of at most `size`.
    Sending chopped(int size) {
      return new Sending(name, sent.stream().flatMap(bytes -> parts(bytes, size)).toList());
    }

    private static Stream<byte[]> parts(byte[] bytes, int size) {
      return IntStream.iterate(0, start -> start < bytes.length, start -> start + size)
          .mapToObj(
              start -> Arrays.copyOfRange(bytes, start, Math.min(bytes.length, start + size)));
    }
  }

  static Sending sending(String name, byte[]... sent) {
    return new Sending(name, List.of(sent));
  }

  static byte[] frame(int first, String text) {
    return RawSocket.frame(first, text.getBytes(UTF_8));
  }

  static byte[] frame(int first, byte[] payload) {
    return RawSocket.frame(first, payload);
  }

  static byte[] text(String text) {
    return frame(FINAL | TEXT, text);
  }

  /// A whole text message of the bytes that `hex` says.
  static byte[] textOf(String hex) {
    return frame(FINAL | TEXT, bytes(hex));
  }

  static byte[] closing(int code, String reason) {
    return frame(FINAL | CLOSE, bytes("%04x".formatted(code) + hex(reason)));
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }

  @Override
  public String toString() {
    return name;
  }
}
