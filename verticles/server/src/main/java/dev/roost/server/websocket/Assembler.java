package dev.roost.server.websocket;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/// Puts the frames of one socket together to whole messages (RFC 6455, 5.4). A message above the
/// bound breaks the connection with 1009, text that is not UTF-8 with 1007. Confined to the
/// socket's event loop.
final class Assembler implements Handler<WebSocketFrame> {

  private final OpenSocket open;
  private final int messageBytesMax;
  private final Handler<Message> whole;
  private long bytes;
  private boolean isText;
  private @Nullable TextParts text;
  private @Nullable Buffer binary;

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
    if (frame.isClose()) {
      return;
    }
    open.taken();
    if (open.isBroken()) {
      return;
    }
    if (frame.isText() || frame.isBinary()) {
      isText = frame.isText();
    }
    bytes += frame.binaryData().length();
    if (bytes > messageBytesMax) {
      refuse(CloseReason.TOO_BIG, "a message may have %d bytes".formatted(messageBytesMax));
      return;
    }
    try {
      add(frame.binaryData(), frame.isFinal());
    } catch (CharacterCodingException _) {
      refuse(CloseReason.NOT_UTF8, "text must be UTF-8");
    }
  }

  private void add(Buffer part, boolean last) throws CharacterCodingException {
    if (last) {
      var message =
          isText ? new Message.Text(textWith(part)) : new Message.Binary(binaryWith(part));
      forget();
      whole.handle(message);
      return;
    }
    if (isText) {
      text = text == null ? new TextParts() : text;
      text.add(part.getBytes());
    } else {
      binary = binaryWith(part);
    }
    open.socket().fetch(1);
    open.settle(); // a message that was begun before the peer ended has no end
  }

  private String textWith(Buffer last) throws CharacterCodingException {
    return text == null ? TextParts.whole(last.getBytes()) : text.complete(last.getBytes());
  }

  private Buffer binaryWith(Buffer part) {
    return (binary == null ? Buffer.buffer() : binary).appendBuffer(part);
  }

  private void refuse(int code, String reason) {
    forget();
    open.breaks(code, reason);
  }

  private void forget() {
    bytes = 0;
    text = null;
    binary = null;
  }
}
