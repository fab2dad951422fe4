package dev.roost.server.relay;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/// A note on its way: the length of its channel's name in bytes (4 bytes), the name in UTF-8, what
/// it says.
record Note(String channel, Buffer text) {

  /// @throws IllegalArgumentException if it is too long
  static Note of(String channel, Buffer text) {
    var note = new Note(channel, text);
    var bytes = note.encoded().length();
    if (bytes > Relay.NOTE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a note of %d bytes is above %d".formatted(bytes, Relay.NOTE_BYTES_MAX));
    }
    return note;
  }

  static Note decoded(Buffer encoded) {
    var text = Integer.BYTES + encoded.getInt(0);
    return new Note(
        encoded.getString(Integer.BYTES, text), encoded.getBuffer(text, encoded.length()));
  }

  Buffer encoded() {
    var name = channel.getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer().appendInt(name.length).appendBytes(name).appendBuffer(text);
  }
}
