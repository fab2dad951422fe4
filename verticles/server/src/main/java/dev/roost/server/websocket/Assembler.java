package dev.roost.server.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

/// Puts the frames of one socket together to whole messages (RFC 6455, 5.4). A message above the
/// bound closes with 1009, text that is not UTF-8 with 1007. Confined to the socket's event loop.
final class Assembler implements Handler<WebSocketFrame> {

  private final OpenSocket open;
  private final int messageBytesMax;
  private final Handler<Message> whole;
  private Buffer parts = Buffer.buffer();
  private boolean text;
  private boolean refused;

  /// @param messageBytesMax largest message, in bytes
  /// @param whole receives each message
  Assembler(OpenSocket open, int messageBytesMax, Handler<Message> whole) {
    this.open = open;
    this.messageBytesMax = messageBytesMax;
    this.whole = whole;
  }

  /// Takes one frame. One that completes no message asks for the next, for a socket that is paused.
  @Override
  public void handle(WebSocketFrame frame) {
    if (refused) {
      return;
    }
    if (frame.isText() || frame.isBinary()) {
      text = frame.isText();
    } else if (!frame.isContinuation()) {
      open.socket().fetch(1);
      return;
    }
    if (parts.length() + frame.binaryData().length() > messageBytesMax) {
      refuse(CloseReason.TOO_BIG, "a message may have %d bytes".formatted(messageBytesMax));
      return;
    }
    parts.appendBuffer(frame.binaryData());
    if (frame.isFinal()) {
      complete();
    } else {
      open.socket().fetch(1);
    }
  }

  private void complete() {
    var bytes = parts;
    parts = Buffer.buffer();
    if (!text) {
      whole.handle(new Message.Binary(bytes));
      return;
    }
    try {
      whole.handle(new Message.Text(decode(bytes)));
    } catch (CharacterCodingException _) {
      refuse(CloseReason.NOT_UTF8, "text must be UTF-8");
    }
  }

  private void refuse(int code, String reason) {
    refused = true;
    parts = Buffer.buffer();
    open.close(code, reason);
  }

  private static String decode(Buffer bytes) throws CharacterCodingException {
    return UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT)
        .decode(ByteBuffer.wrap(bytes.getBytes()))
        .toString();
  }
}
