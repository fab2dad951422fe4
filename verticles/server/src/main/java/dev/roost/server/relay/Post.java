package dev.roost.server.relay;

import dev.roost.server.link.Frame;
import dev.roost.server.link.FrameKind;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/// A message of a topic on its way: from a worker with the number of its request, to a worker with
/// its place in the order too.
///
/// @param encoded the length of the topic's name in bytes (4 bytes), the name and the text in UTF-8
record Post(Buffer encoded) {

  /// What stands before it in a frame at most.
  private static final int HEAD_BYTES = 3 * Long.BYTES;

  /// Bytes of one.
  static final int BYTES_MAX = Frame.BODY_BYTES_MAX - HEAD_BYTES;

  static Post of(String topic, String text) {
    var name = topic.getBytes(StandardCharsets.UTF_8);
    var encoded = Buffer.buffer().appendInt(name.length).appendBytes(name);
    return new Post(encoded.appendBytes(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// @param at where it begins in `body`, which it ends
  static Post in(Buffer body, int at) {
    return new Post(body.getBuffer(at, body.length()));
  }

  int bytes() {
    return encoded.length();
  }

  String topic() {
    return string(Integer.BYTES, textAt());
  }

  String text() {
    return string(textAt(), encoded.length());
  }

  /// From a worker.
  Frame published(long request) {
    return new Frame(FrameKind.PUBLISH, Buffer.buffer().appendLong(request).appendBuffer(encoded));
  }

  /// To a worker.
  ///
  /// @param request of the worker that published it, or 0
  Frame ordered(long number, long previous, long request) {
    var head = Buffer.buffer().appendLong(number).appendLong(previous).appendLong(request);
    return new Frame(FrameKind.MESSAGE, head.appendBuffer(encoded));
  }

  private int textAt() {
    return Integer.BYTES + encoded.getInt(0);
  }

  private String string(int from, int to) {
    return new String(encoded.getBytes(from, to), StandardCharsets.UTF_8);
  }
}
