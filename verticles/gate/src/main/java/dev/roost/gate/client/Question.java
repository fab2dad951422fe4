package dev.roost.gate.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/// The GET that every connection of one event loop sends, and who reads its answer. Confined to
/// that event loop.
final class Question {
  private final ByteBuf request;
  private final AnswerReader reader;
  private final Causes causes;

  Question(Target target, Causes causes) {
    var text =
        "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n".formatted(target.path(), target.port());
    // On the heap, so that nobody has to release it with its loop.
    this.request =
        Unpooled.unreleasableBuffer(
            Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII)));
    this.reader = new AnswerReader(target.body());
    this.causes = causes;
  }

  /// The request's bytes, to be written once.
  ByteBuf bytes() {
    return request.duplicate();
  }

  AnswerReader reader() {
    return reader;
  }

  Causes causes() {
    return causes;
  }
}
