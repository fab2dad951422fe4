package dev.roost.gate.protocol;

import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/// HTTP/1.1 on a kept-alive connection. It knows nothing between two GETs, so that the connections
/// of one event loop share one.
final class Http1Dialogue implements Dialogue {
  private final ByteBuf request;
  private final AnswerReader reader;

  Http1Dialogue(Asking asking, String authority) {
    var text = "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(asking.path(), authority);
    // On the heap, so that nobody has to release it with its loop.
    this.request =
        Unpooled.unreleasableBuffer(
            Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII)));
    this.reader = new AnswerReader(asking.body());
  }

  @Override
  public ByteBuf question() {
    return request.duplicate();
  }

  @Override
  public Optional<Outcome> answer(ByteBuf bytes, Consumer<ByteBuf> replies) {
    return reader.read(bytes);
  }

  @Override
  public boolean unasked(ByteBuf bytes, Consumer<ByteBuf> replies) {
    bytes.skipBytes(bytes.readableBytes());
    return false;
  }
}
