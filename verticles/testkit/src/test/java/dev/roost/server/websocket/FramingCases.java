package dev.roost.server.websocket;

import static dev.roost.server.websocket.Case.BINARY;
import static dev.roost.server.websocket.Case.FINAL;
import static dev.roost.server.websocket.Case.MORE;
import static dev.roost.server.websocket.Case.PING;
import static dev.roost.server.websocket.Case.PONG;
import static dev.roost.server.websocket.Case.TEXT;
import static dev.roost.server.websocket.Case.bytes;
import static dev.roost.server.websocket.Case.closing;
import static dev.roost.server.websocket.Case.frame;
import static dev.roost.server.websocket.Case.hex;
import static dev.roost.server.websocket.Case.sending;
import static dev.roost.server.websocket.Case.text;

import java.util.Collections;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Lengths, pings, reserved bits, opcodes, masks and sizes (RFC 6455, 5.2 and 5.5).
final class FramingCases {

  /// What the table's server takes at most.
  static final int FRAME_BYTES_MAX = 65_536;

  static final int MESSAGE_BYTES_MAX = 200_000;

  private FramingCases() {}

  static Stream<Case> all() {
    return Stream.of(lengths(), pings(), reserved(), masks(), sizes()).flatMap(cases -> cases);
  }

  private static Stream<Case> lengths() {
    return IntStream.of(0, 1, 125, 126, 127, 128, 65_535, 65_536)
        .boxed()
        .flatMap(
            length -> {
              var text = "*".repeat(length);
              var binary = frame(FINAL | BINARY, text);
              return Stream.of(
                  sending("1.1 text of " + length, text(text)).gives("text:" + text),
                  sending("1.2 binary of " + length, binary).gives("bytes:" + hex(text)),
                  sending("1.1 text of " + length + " in writes of 997", text(text))
                      .chopped(997)
                      .gives("text:" + text));
            });
  }

  private static Stream<Case> pings() {
    var most = "p".repeat(125);
    var ping = frame(FINAL | PING, "p");
    return Stream.of(
        sending("2.1 an empty ping", frame(FINAL | PING, "")).gives("pong:"),
        sending("2.2 a ping of text", ping).gives("pong:70"),
        sending("2.3 a ping of bytes", frame(FINAL | PING, bytes("00fffe"))).gives("pong:00fffe"),
        sending("2.4 a ping of 125 bytes", frame(FINAL | PING, most)).gives("pong:" + hex(most)),
        sending("2.5 a ping of 126 bytes", frame(FINAL | PING, most + "p")).gives("close:1002"),
        sending("2.6 a ping byte by byte", frame(FINAL | PING, most))
            .chopped(1)
            .gives("pong:" + hex(most)),
        sending("2.7 an unasked pong", frame(FINAL | PONG, ""), ping).gives("pong:70"),
        sending("2.8 an unasked pong of text", frame(FINAL | PONG, "x"), ping).gives("pong:70"),
        sending("2.9 pong, then ping", frame(FINAL | PONG, "x"), ping).gives("pong:70"),
        sending("2.10 ten pings", Collections.nCopies(10, ping).toArray(byte[][]::new))
            .gives(Collections.nCopies(10, "pong:70").toArray(String[]::new)),
        sending("2.11 ten pings byte by byte", Collections.nCopies(10, ping).toArray(byte[][]::new))
            .chopped(1)
            .gives(Collections.nCopies(10, "pong:70").toArray(String[]::new)));
  }

  private static Stream<Case> reserved() {
    var bits =
        IntStream.rangeClosed(1, 7)
            .boxed()
            .flatMap(
                rsv ->
                    Stream.of(TEXT, BINARY, PING, Case.CLOSE).map(opcode -> reserved(rsv, opcode)));
    var opcodes =
        IntStream.of(3, 4, 5, 6, 7, 11, 12, 13, 14, 15)
            .boxed()
            .flatMap(
                opcode ->
                    Stream.of("", "x")
                        .map(
                            payload ->
                                sending(
                                        "4 opcode %d with '%s'".formatted(opcode, payload),
                                        frame(FINAL | opcode, payload),
                                        frame(FINAL | PING, ""))
                                    .gives("close:1002")));
    return Stream.concat(bits, opcodes);
  }

  private static Case reserved(int rsv, int opcode) {
    return sending(
            "3 reserved bits %d on opcode %d".formatted(rsv, opcode),
            frame(FINAL | rsv << 4 | opcode, ""),
            frame(FINAL | PING, ""))
        .gives("close:1002");
  }

  private static Stream<Case> masks() {
    return Stream.of(
        sending("no mask on text", bytes("81 01 61")).gives("close:1002"),
        sending("no mask on a ping", bytes("89 00")).gives("close:1002"),
        sending("no mask on a close", bytes("88 02 03e8")).gives("close:1002"),
        sending("a mask that changes the text", bytes("81 82 01020304 6061")).gives("text:ac"),
        sending("16 bits for a length of 5", bytes("81 fe 0005 00000000 6161616161"))
            .gives("close:1002"),
        sending("64 bits for a length of 5", bytes("81 ff 0000000000000005 00000000 6161616161"))
            .gives("close:1002"),
        sending("a negative length", bytes("82 ff ffffffffffffffff 00000000")).gives("close:1002"),
        sending("a length beyond every memory", bytes("82 ff 7fffffffffffffff 00000000"))
            .gives("close:1009"));
  }

  private static Stream<Case> sizes() {
    var most = "m".repeat(FRAME_BYTES_MAX);
    var rest = "r".repeat(MESSAGE_BYTES_MAX - 3 * FRAME_BYTES_MAX);
    return Stream.of(
        sending("9 a frame above the bound", text(most + "m")).gives("close:1009"),
        sending(
                "9 a frame above the bound, of which the head is there",
                bytes("82 ff 0000000000010001"))
            .gives("close:1009"),
        sending("9 a message of the largest size", fragments(TEXT, most, rest))
            .gives(
                "text-:" + most, "more-:" + hex(most), "more-:" + hex(most), "more:" + hex(rest)),
        sending("9 a message above the bound", fragments(TEXT, most, rest + "r"))
            .gives("close:1009"),
        sending("9 a binary message above the bound", fragments(BINARY, most, rest + "r"))
            .gives("close:1009"),
        sending(
                "9 what a message above the bound is followed by",
                fragments(BINARY, most, most),
                closing(1000, ""))
            .gives("close:1009"));
  }

  private static byte[] fragments(int opcode, String part, String last) {
    var whole = new java.io.ByteArrayOutputStream();
    whole.writeBytes(frame(opcode, part));
    whole.writeBytes(frame(MORE, part));
    whole.writeBytes(frame(MORE, part));
    whole.writeBytes(frame(FINAL | MORE, last));
    return whole.toByteArray();
  }
}
