package dev.roost.server.websocket;

import static dev.roost.server.websocket.Case.BINARY;
import static dev.roost.server.websocket.Case.CLOSE;
import static dev.roost.server.websocket.Case.FINAL;
import static dev.roost.server.websocket.Case.MORE;
import static dev.roost.server.websocket.Case.PING;
import static dev.roost.server.websocket.Case.PONG;
import static dev.roost.server.websocket.Case.TEXT;
import static dev.roost.server.websocket.Case.frame;
import static dev.roost.server.websocket.Case.hex;
import static dev.roost.server.websocket.Case.sending;
import static dev.roost.server.websocket.Case.text;

import java.util.stream.Stream;

/// Messages in parts (RFC 6455, 5.4).
final class FragmentCases {

  private static final byte[] ONE = frame(TEXT, "one ");
  private static final byte[] TWO = frame(FINAL | MORE, "two");
  private static final byte[] PART = frame(MORE, "part ");
  private static final byte[] ASK = frame(FINAL | PING, "p");

  private FragmentCases() {}

  static Stream<Case> all() {
    return Stream.concat(good(), bad());
  }

  private static Stream<Case> good() {
    var nothing = frame(MORE, "");
    var end = frame(FINAL | MORE, "");
    return Stream.of(
        sending("5.3 two parts", ONE, TWO).gives("text:one two"),
        sending("5.5 two parts byte by byte", ONE, TWO).chopped(1).gives("text:one two"),
        sending("5.6 a ping in between", ONE, ASK, TWO).gives("pong:70", "text:one two"),
        sending("5.8 a ping in between, byte by byte", ONE, ASK, TWO)
            .chopped(1)
            .gives("pong:70", "text:one two"),
        sending("5.7 a pong in between", ONE, frame(FINAL | PONG, "x"), TWO).gives("text:one two"),
        sending("5.19 five parts and two pings", ONE, PART, ASK, PART, PART, ASK, TWO)
            .gives("pong:70", "pong:70", "text:one part part part two"),
        sending("5 binary parts", frame(BINARY, "a"), frame(MORE, "b"), frame(FINAL | MORE, "c"))
            .gives("bytes:616263"),
        sending("6.1 an empty first part", frame(TEXT, ""), TWO).gives("text:two"),
        sending("6.1 empty parts only", frame(TEXT, ""), nothing, end).gives("text:"),
        sending("6.1 empty binary parts only", frame(BINARY, ""), nothing, end).gives("bytes:"),
        sending("6.1 empty parts around one", frame(TEXT, ""), PART, end).gives("text:part "),
        sending("6.1 an empty first binary part", frame(BINARY, ""), frame(FINAL | MORE, "b"))
            .gives("bytes:62"),
        sending("5 a close in between", ONE, Case.closing(1000, "")).gives("close:1000", "end"),
        sending("1000 parts of a byte", thousandParts()).gives("text:" + "b".repeat(1_000)),
        sending("messages in a row", text("a"), ONE, TWO, frame(FINAL | BINARY, "b"), text("c"))
            .gives("text:a", "text:one two", "bytes:" + hex("b"), "text:c"));
  }

  private static Stream<Case> bad() {
    return Stream.of(
        sending("5.1 a ping in parts", frame(PING, "a"), TWO).gives("close:1002"),
        sending("5.2 a pong in parts", frame(PONG, "a"), TWO).gives("close:1002"),
        sending("5 a close in parts", frame(CLOSE, ""), TWO).gives("close:1002"),
        sending("5.9 a last part of nothing", TWO, text("a")).gives("close:1002"),
        sending("5.10 a last part of nothing, byte by byte", TWO).chopped(1).gives("close:1002"),
        sending("5.12 a part of nothing", PART, text("a")).gives("close:1002"),
        sending("5.18 a text in a text", ONE, text("a")).gives("close:1002"),
        sending("5.18 a binary in a text", ONE, frame(FINAL | BINARY, "a")).gives("close:1002"),
        sending("5.18 a text in an empty text", frame(TEXT, ""), text("a")).gives("close:1002"),
        sending("5 a first part in parts", ONE, frame(TEXT, "a"), TWO).gives("close:1002"));
  }

  private static byte[] thousandParts() {
    var parts = new java.io.ByteArrayOutputStream();
    parts.writeBytes(frame(TEXT, "b"));
    for (var i = 0; i < 998; i++) {
      parts.writeBytes(frame(MORE, "b"));
    }
    parts.writeBytes(frame(FINAL | MORE, "b"));
    return parts.toByteArray();
  }
}
