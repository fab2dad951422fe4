package dev.roost.server.websocket;

import static dev.roost.server.websocket.Case.CLOSE;
import static dev.roost.server.websocket.Case.FINAL;
import static dev.roost.server.websocket.Case.PING;
import static dev.roost.server.websocket.Case.TEXT;
import static dev.roost.server.websocket.Case.bytes;
import static dev.roost.server.websocket.Case.closing;
import static dev.roost.server.websocket.Case.frame;
import static dev.roost.server.websocket.Case.sending;
import static dev.roost.server.websocket.Case.text;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Close frames, their codes and reasons (RFC 6455, 5.5.1 and 7.4).
final class CloseCases {

  private CloseCases() {}

  static Stream<Case> all() {
    return Stream.concat(frames(), codes());
  }

  private static Stream<Case> frames() {
    var most = "r".repeat(123);
    return Stream.of(
        sending("7.1.1 a close after a message", closing(1000, "bye"))
            .gives("close:1000 bye", "end"),
        sending("7.1.2 a second close is ignored", closing(1000, ""), closing(1001, ""))
            .gives("close:1000", "end"),
        sending(
                "7.1.3 a ping after the close is ignored",
                closing(1000, ""),
                frame(FINAL | PING, ""))
            .gives("close:1000", "end"),
        sending("7.1.4 text after the close is ignored", closing(1000, ""), text("late"))
            .gives("close:1000", "end"),
        sending("7.1.5 a close inside a message", frame(TEXT, "a"), closing(1000, ""), text("b"))
            .gives("close:1000", "end"),
        sending("7.3.1 a close without a code", frame(FINAL | CLOSE, "")).gives("close:", "end"),
        sending("7.3.2 a close of one byte", frame(FINAL | CLOSE, "a")).gives("close:1002"),
        sending("7.3.4 a reason", closing(1000, "Grund: 한국어"))
            .gives("close:1000 Grund: 한국어", "end"),
        sending("7.3.5 a reason of 123 bytes", closing(1000, most))
            .gives("close:1000 " + most, "end"),
        sending("7.3.6 a reason of 124 bytes", closing(1000, most + "r")).gives("close:1002"),
        sending("7.5.1 a reason that is not UTF-8", frame(FINAL | CLOSE, bytes("03e8 cebaeda080")))
            .gives("close:1007"),
        sending("7.5 a reason that ends inside a character", frame(FINAL | CLOSE, bytes("03e8 ce")))
            .gives("close:1007"));
  }

  private static Stream<Case> codes() {
    var valid =
        IntStream.of(
                1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999,
                4000, 4999)
            .mapToObj(
                code ->
                    sending("7.7 close code " + code, closing(code, ""))
                        .gives("close:" + code, "end"));
    var invalid =
        IntStream.of(
                0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 32_768, 65_535)
            .mapToObj(
                code -> sending("7.9 close code " + code, closing(code, "")).gives("close:1002"));
    return Stream.concat(valid, invalid);
  }
}
