package dev.roost.server.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;

/// A text message that comes in parts, which may end inside a character. What is not UTF-8 is found
/// in the part where it stands, not only at the end. Confined to its socket's event loop.
final class TextParts {

  private final CharsetDecoder decoder = UTF_8.newDecoder();
  private final StringBuilder text = new StringBuilder();
  private ByteBuffer cutOff = ByteBuffer.allocate(0);

  /// A message that came in one part.
  static String whole(byte[] bytes) throws CharacterCodingException {
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /// @throws CharacterCodingException if this cannot become UTF-8 any more
  void add(byte[] part) throws CharacterCodingException {
    decode(part, false);
  }

  /// Adds the last part and gives the message.
  ///
  /// @throws CharacterCodingException if the message is not UTF-8
  String complete(byte[] part) throws CharacterCodingException {
    decode(part, true);
    return text.toString();
  }

  private void decode(byte[] part, boolean last) throws CharacterCodingException {
    var bytes = ByteBuffer.allocate(cutOff.remaining() + part.length).put(cutOff).put(part).flip();
    var characters = CharBuffer.allocate(bytes.remaining());
    var result = decoder.decode(bytes, characters, last);
    if (result.isError()) {
      result.throwException();
    }
    text.append(characters.flip());
    cutOff = bytes;
  }
}
