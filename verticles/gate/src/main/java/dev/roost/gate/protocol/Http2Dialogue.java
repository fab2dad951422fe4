package dev.roost.gate.protocol;

import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.function.Consumer;

/// HTTP/2 on one connection, one stream at a time (RFC 9113). Of an answer's fields it reads the
/// status, which comes first and, without a dynamic table, stands for itself (RFC 7541).
final class Http2Dialogue implements Dialogue {
  /// Answered bytes after which the connection's window of 65,535 bytes is filled up again.
  private static final int WINDOW_BYTES_OWED_MAX = 16_384;

  /// `:status 200` of HPACK's static table.
  private static final int STATUS_200 = 0x88;

  private final Asking asking;
  private final String authority;
  private int stream = -1;
  private int owed;
  private boolean status200;
  private boolean statusRead;
  private boolean ending;
  private BodyCheck body;

  Http2Dialogue(Asking asking, String authority) {
    this.asking = asking;
    this.authority = authority;
    this.body = new BodyCheck(asking.body());
  }

  @Override
  public ByteBuf question() {
    boolean first = stream < 0;
    stream += 2;
    status200 = false;
    statusRead = false;
    ending = false;
    body = new BodyCheck(asking.body());
    ByteBuf get = Frames.get(stream, asking.path(), authority);
    return first ? Unpooled.wrappedBuffer(Frames.opening(), get) : get;
  }

  @Override
  public Optional<Outcome> answer(ByteBuf bytes, Consumer<ByteBuf> replies) {
    for (var frame = next(bytes); frame.isPresent(); frame = next(bytes)) {
      var outcome = read(frame.get(), replies);
      if (outcome.isPresent()) {
        return outcome;
      }
    }
    return isTooLong(bytes) ? Optional.of(Outcome.MALFORMED) : Optional.empty();
  }

  @Override
  public boolean unasked(ByteBuf bytes, Consumer<ByteBuf> replies) {
    for (var frame = next(bytes); frame.isPresent(); frame = next(bytes)) {
      switch (frame.get().type()) {
        case Frames.DATA,
            Frames.HEADERS,
            Frames.CONTINUATION,
            Frames.RST_STREAM,
            Frames.PUSH_PROMISE,
            Frames.GOAWAY -> {
          bytes.skipBytes(bytes.readableBytes());
          return false;
        }
        default -> reply(frame.get(), replies);
      }
    }
    return !isTooLong(bytes);
  }

  /// One frame.
  ///
  /// @param payload a view of the bytes that came
  private record Frame(int type, int flags, int stream, ByteBuf payload) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  private static Optional<Frame> next(ByteBuf bytes) {
    if (bytes.readableBytes() < Frames.HEADER_BYTES || isTooLong(bytes)) {
      return Optional.empty();
    }
    int length = bytes.getUnsignedMedium(bytes.readerIndex());
    if (bytes.readableBytes() < Frames.HEADER_BYTES + length) {
      return Optional.empty();
    }
    bytes.skipBytes(3);
    return Optional.of(
        new Frame(
            bytes.readUnsignedByte(),
            bytes.readUnsignedByte(),
            bytes.readInt() & Integer.MAX_VALUE,
            bytes.readSlice(length)));
  }

  private static boolean isTooLong(ByteBuf bytes) {
    return bytes.readableBytes() >= 3
        && bytes.getUnsignedMedium(bytes.readerIndex()) > Frames.PAYLOAD_MAX;
  }

  private Optional<Outcome> read(Frame frame, Consumer<ByteBuf> replies) {
    boolean ours = frame.stream() == stream;
    return switch (frame.type()) {
      case Frames.HEADERS -> ours ? readFields(frame) : Optional.of(Outcome.MALFORMED);
      case Frames.CONTINUATION -> endIf(ending && frame.has(Frames.FLAG_END_HEADERS));
      case Frames.DATA -> ours ? readData(frame, replies) : Optional.of(Outcome.MALFORMED);
      case Frames.RST_STREAM -> Optional.of(ours ? Outcome.CLOSED : Outcome.MALFORMED);
      case Frames.PUSH_PROMISE -> Optional.of(Outcome.MALFORMED);
      case Frames.GOAWAY -> closedIf(frame.payload().getInt(0) < stream);
      default -> {
        reply(frame, replies);
        yield Optional.empty();
      }
    };
  }

  private Optional<Outcome> readFields(Frame frame) {
    ByteBuf fields = unpadded(frame);
    if (!statusRead) {
      statusRead = true;
      status200 = isStatus200(fields);
    }
    ending = frame.has(Frames.FLAG_END_STREAM);
    return endIf(ending && frame.has(Frames.FLAG_END_HEADERS));
  }

  private Optional<Outcome> readData(Frame frame, Consumer<ByteBuf> replies) {
    if (!statusRead) {
      return Optional.of(Outcome.MALFORMED);
    }
    body.add(unpadded(frame));
    owed += frame.payload().writerIndex();
    if (owed >= WINDOW_BYTES_OWED_MAX) {
      replies.accept(Frames.windowUpdate(0, owed));
      owed = 0;
    }
    return endIf(frame.has(Frames.FLAG_END_STREAM));
  }

  private Optional<Outcome> endIf(boolean ended) {
    if (!ended) {
      return Optional.empty();
    }
    if (!status200) {
      return Optional.of(Outcome.WRONG_STATUS);
    }
    return Optional.of(body.isGood() ? Outcome.GOOD : Outcome.WRONG_BODY);
  }

  private static Optional<Outcome> closedIf(boolean refused) {
    return refused ? Optional.of(Outcome.CLOSED) : Optional.empty();
  }

  private static void reply(Frame frame, Consumer<ByteBuf> replies) {
    if (frame.has(Frames.FLAG_ACK)) {
      return;
    }
    if (frame.type() == Frames.SETTINGS) {
      replies.accept(Frames.settingsAck());
    } else if (frame.type() == Frames.PING) {
      replies.accept(Frames.pingAck(frame.payload()));
    }
  }

  private static ByteBuf unpadded(Frame frame) {
    ByteBuf payload = frame.payload();
    int padding = frame.has(Frames.FLAG_PADDED) ? payload.readUnsignedByte() : 0;
    if (frame.type() == Frames.HEADERS && frame.has(Frames.FLAG_PRIORITY)) {
      payload.skipBytes(5);
    }
    return payload.readSlice(Math.max(0, payload.readableBytes() - padding));
  }

  /// The indexed field, or the literal with the static name, whose value may be Huffman-coded.
  private static boolean isStatus200(ByteBuf fields) {
    while (fields.isReadable() && (fields.getByte(fields.readerIndex()) & 0xe0) == 0x20) {
      fields.skipBytes(1); // a table size update; ours is 0, which has one byte
    }
    if (!fields.isReadable()) {
      return false;
    }
    int first = fields.readUnsignedByte();
    if (first == STATUS_200) {
      return true;
    }
    boolean literalStatus = first == 0x48 || first == 0x08 || first == 0x18;
    return literalStatus && fields.readableBytes() >= 3 && isLiteral200(fields);
  }

  private static boolean isLiteral200(ByteBuf value) {
    int length = value.readUnsignedByte();
    return switch (length) {
      case 3 -> value.readableBytes() >= 3 && value.readMedium() == 0x323030; // "200"
      case 0x82 -> value.readUnsignedShort() == 0x1001; // the same in Huffman's code
      default -> false;
    };
  }
}
