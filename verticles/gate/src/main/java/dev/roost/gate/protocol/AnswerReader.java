package dev.roost.gate.protocol;

import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/// Compares one HTTP/1.1 answer with the expected one. It wants a Content-Length (RFC 9112, section
/// 6.2): a server under this gate answers short texts, and an answer that ends with its connection
/// cannot be held. Immutable but for the marks of its constant buffers, so one per event loop.
final class AnswerReader {
  /// Most bytes of a status line and headers; ten times what a talkative server sends.
  private static final int HEAD_BYTES_MAX = 16 * 1024;

  /// Most bytes of a body; a gate asks for short texts.
  private static final int BODY_BYTES_MAX = 1024 * 1024;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})(?: .*)?");
  private static final Pattern LENGTH =
      Pattern.compile("content-length:[ \t]*(\\d{1,9})[ \t]*", Pattern.CASE_INSENSITIVE);

  private final ByteBuf headEnd = constant("\r\n\r\n");
  private final Expected body;

  AnswerReader(Expected body) {
    this.body = body;
  }

  private static ByteBuf constant(String text) {
    return Unpooled.unreleasableBuffer(
        Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// Reads one answer from the front of `bytes` and moves its reader index behind it.
  ///
  /// @return empty while the answer is not whole; then nothing has been read
  Optional<Outcome> read(ByteBuf bytes) {
    int headLength = ByteBufUtil.indexOf(headEnd, bytes);
    if (headLength < 0) {
      return bytes.readableBytes() > HEAD_BYTES_MAX
          ? Optional.of(Outcome.MALFORMED)
          : Optional.empty();
    }
    headLength -= bytes.readerIndex();
    var lines =
        bytes
            .toString(bytes.readerIndex(), headLength, StandardCharsets.ISO_8859_1)
            .split("\r\n", -1);
    var status = STATUS.matcher(lines[0]);
    int bodyLength = lengthIn(lines);
    if (!status.matches() || bodyLength < 0 || bodyLength > BODY_BYTES_MAX) {
      return Optional.of(Outcome.MALFORMED);
    }
    int bodyStart = bytes.readerIndex() + headLength + headEnd.readableBytes();
    if (bytes.writerIndex() - bodyStart < bodyLength) {
      return Optional.empty();
    }
    bytes.readerIndex(bodyStart);
    ByteBuf received = bytes.readSlice(bodyLength);
    if (!status.group(1).equals("200")) {
      return Optional.of(Outcome.WRONG_STATUS);
    }
    var check = new BodyCheck(body);
    check.add(received);
    return Optional.of(check.isGood() ? Outcome.GOOD : Outcome.WRONG_BODY);
  }

  /// The value of the only Content-Length; -1 if there is none or there are several.
  private static int lengthIn(String[] lines) {
    int length = -1;
    for (String line : lines) {
      var matcher = LENGTH.matcher(line);
      if (matcher.matches()) {
        if (length >= 0) {
          return -1;
        }
        length = Integer.parseInt(matcher.group(1));
      }
    }
    return length;
  }
}
