package dev.roost.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Inflates the messages of one peer (RFC 7692, 7.2.2), never to more than a message may have.
/// Confined to its event loop; holds memory outside the heap until it is closed.
final class Inflation implements AutoCloseable {

  /// What the peer leaves away at the end of each message.
  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  private static final int CHUNK = 8_192;

  private final Inflater inflater = new Inflater(true);
  private final int messageBytesMax;
  private int messageBytes;

  /// @param messageBytesMax largest inflated message
  Inflation(int messageBytesMax) {
    this.messageBytesMax = messageBytesMax;
  }

  /// Inflates one frame of a message.
  ///
  /// @throws CorruptedWebSocketFrameException with 1009 where the message gets too big, with 1007
  ///   where it is not compressed as agreed
  ByteBuf part(ByteBuf compressed, boolean last) {
    var inflated = Unpooled.buffer(Math.min(CHUNK, messageBytesMax));
    try {
      inflate(ByteBufUtil.getBytes(compressed), inflated);
      if (last) {
        inflate(TAIL, inflated);
        messageBytes = 0;
      }
      return inflated;
    } catch (DataFormatException broken) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "the message cannot be inflated", broken);
    }
  }

  @Override
  public void close() {
    inflater.end();
  }

  private void inflate(byte[] input, ByteBuf output) throws DataFormatException {
    inflater.setInput(input);
    while (true) {
      output.ensureWritable(CHUNK);
      var end = output.arrayOffset() + output.writerIndex();
      var count = inflater.inflate(output.array(), end, output.writableBytes());
      output.writerIndex(output.writerIndex() + count);
      messageBytes += count;
      if (messageBytes > messageBytesMax) {
        throw new CorruptedWebSocketFrameException(
            WebSocketCloseStatus.MESSAGE_TOO_BIG,
            "a message may have %d bytes".formatted(messageBytesMax));
      }
      if (inflater.finished()) { // a final block, after which a new stream may begin
        var rest = inflater.getRemaining();
        inflater.reset();
        inflater.setInput(input, input.length - rest, rest);
      } else if (count == 0) {
        return;
      }
    }
  }
}
