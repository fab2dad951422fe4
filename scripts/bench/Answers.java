import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.IntConsumer;

/// Counts the answers of one connection without the cost of a decoder: the bodies of the bench end
/// with the only line feed of an answer that follows no carriage return. Confined to its event
/// loop.
final class Answers extends ChannelInboundHandlerAdapter {
  private static final String GOOD = "HTTP/1.1 20";

  private final Wire wire;
  private final IntConsumer answered;
  private boolean between = true;
  private byte previous;

  /// @param answered gets the number of answers that one read has completed, 1 or more
  Answers(Wire wire, IntConsumer answered) {
    this.wire = wire;
    this.answered = answered;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    if (between && bytes.readableBytes() >= GOOD.length()) {
      var start = bytes.toString(bytes.readerIndex(), GOOD.length(), US_ASCII);
      if (!start.equals(GOOD)) {
        wire.fail(new IllegalStateException("not a good answer: " + bytes.toString(US_ASCII)));
      }
    }
    int count = count(bytes);
    bytes.release();
    if (count > 0) {
      answered.accept(count);
    }
  }

  private int count(ByteBuf bytes) {
    int count = 0;
    for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
      byte each = bytes.getByte(i);
      between = each == '\n' && previous != '\r';
      count += between ? 1 : 0;
      previous = each;
    }
    return count;
  }
}
