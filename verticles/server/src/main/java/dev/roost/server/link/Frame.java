package dev.roost.server.link;

import io.vertx.core.buffer.Buffer;

/// One message between a worker and its supervisor.
///
/// @param body 0 bytes to [#BODY_BYTES_MAX]; not to be changed any more
public record Frame(FrameKind kind, Buffer body) {

  /// Bytes of a body.
  public static final int BODY_BYTES_MAX = 4 << 20;

  public Frame {
    if (body.length() > BODY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "body: %d bytes are more than %d".formatted(body.length(), BODY_BYTES_MAX));
    }
  }

  /// One that says all by its kind.
  public static Frame of(FrameKind kind) {
    return new Frame(kind, Buffer.buffer());
  }
}
