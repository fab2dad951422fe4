package dev.roost.server.websocket;

import static dev.roost.server.websocket.Case.FINAL;
import static dev.roost.server.websocket.Case.MORE;
import static dev.roost.server.websocket.Case.TEXT;
import static dev.roost.server.websocket.Case.bytes;
import static dev.roost.server.websocket.Case.frame;
import static dev.roost.server.websocket.Case.sending;
import static dev.roost.server.websocket.Case.textOf;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.stream.Stream;

/// What is UTF-8 and what is not (RFC 6455, 8.1; RFC 3629).
final class TextCases {

  private static final String GREEK = "ceba e1bdb9 cf83 cebc ceb5";

  private TextCases() {}

  static Stream<Case> all() {
    return Stream.of(valid(), invalid(), inParts()).flatMap(cases -> cases);
  }

  private static Stream<Case> valid() {
    return Stream.of(
            GREEK,
            "00",
            "7f",
            "c280",
            "dfbf",
            "e0a080",
            "ed9fbf",
            "ee8080",
            "efbfbd",
            "efbfbe",
            "efbfbf",
            "f0908080",
            "f48fbfbf",
            "f09f90a6",
            "48656c6c6f2d c2b5 c39f c3b6 c3a4 2d5554462d382121")
        .flatMap(
            hex -> {
              var text = new String(bytes(hex), UTF_8);
              return Stream.of(
                  sending("6 valid " + hex, textOf(hex)).gives("text:" + text),
                  sending("6 valid, each byte in a part, " + hex, byByte(hex))
                      .gives("text:" + text));
            });
  }

  private static Stream<Case> invalid() {
    return Stream.of(
            "80",
            "bf",
            "8080",
            "c0 20",
            "e0 20",
            "f0 20",
            "f8 20",
            "fc 20",
            "fe",
            "ff",
            "c0af",
            "c1bf",
            "e080af",
            "e09fbf",
            "f08080af",
            "f08fbfbf",
            "f8808080af",
            "fc80808080af",
            "c3",
            "e180",
            "f09080",
            "eda080",
            "edafbf",
            "edb080",
            "edbfbf",
            "eda080 edb080",
            "f4908080",
            "f7bfbfbf",
            "f888808080",
            "fc8480808080",
            GREEK + "eda080 656469746564")
        .flatMap(
            hex ->
                Stream.of(
                    sending("6 invalid " + hex, textOf(hex)).gives("close:1007"),
                    sending("6 invalid, each byte in a part, " + hex, byByte(hex))
                        .gives("close:1007")));
  }

  private static Stream<Case> inParts() {
    var greek = bytes(GREEK);
    return Stream.of(
        sending(
                "6.2 a cut between characters",
                frame(TEXT, bytes("ceba e1bdb9")),
                frame(FINAL | MORE, bytes("cf83 cebc ceb5")))
            .gives("text:" + new String(greek, UTF_8)),
        sending(
                "6.2 a cut inside a character",
                frame(TEXT, bytes("ceba e1bd")),
                frame(FINAL | MORE, bytes("b9 cf83 cebc ceb5")))
            .gives("text:" + new String(greek, UTF_8)),
        sending(
                "6.4 invalid text in a part is found before the last part",
                frame(TEXT, greek),
                frame(MORE, bytes("f4908080")))
            .gives("close:1007"),
        sending(
                "6.4 a byte that can become no character is found at once",
                frame(TEXT, greek),
                frame(MORE, bytes("f4")),
                frame(MORE, bytes("90")))
            .gives("close:1007"),
        sending(
                "6 a message that ends inside a character",
                frame(TEXT, bytes("ceba e1")),
                frame(FINAL | MORE, ""))
            .gives("close:1007"),
        sending("6 bytes that are no text may be binary", frame(FINAL | Case.BINARY, bytes("ff")))
            .gives("bytes:ff"));
  }

  private static byte[] byByte(String hex) {
    var frames = new ByteArrayOutputStream();
    frames.writeBytes(frame(TEXT, ""));
    for (var one : bytes(hex)) {
      frames.writeBytes(frame(MORE, new byte[] {one}));
    }
    frames.writeBytes(frame(FINAL | MORE, ""));
    return frames.toByteArray();
  }
}
