package io.netty.handler.codec.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import java.lang.invoke.VarHandle;

/// The fields that a client may name by number (RFC 7541, 2.3.2), as bytes: a tenth of what they
/// take as objects. Immutable.
final class KeptTable {

  private static final VarHandle DECODER =
      FrameReaders.field(DefaultHttp2HeadersDecoder.class, "hpackDecoder", HpackDecoder.class);

  private static final VarHandle TABLE =
      FrameReaders.field(HpackDecoder.class, "hpackDynamicTable", HpackDynamicTable.class);

  private static final byte[] NONE = {};

  /// The pattern of a change of the table's size, and the most that its first byte holds (RFC 7541,
  /// 6.3).
  private static final int SIZE_CHANGE = 0x20;

  private static final int SIZE_IN_FIRST_BYTE_MAX = 31;

  /// Of the table, in bytes as RFC 7541 (4.1) counts them.
  private final int capacity;

  /// Names and values, the oldest field first, each after its length.
  private final byte[] fields;

  private KeptTable(int capacity, byte[] fields) {
    this.capacity = capacity;
    this.fields = fields;
  }

  static void probe() {
    var _ = of(new DefaultHttp2FrameReader());
  }

  static KeptTable of(Http2FrameReader reader) {
    var decoder = decoder(reader);
    var capacity = (int) decoder.getMaxHeaderTableSize();
    var count = decoder.length();
    if (count == 0) {
      return new KeptTable(capacity, NONE);
    }
    var buffer = Unpooled.buffer((int) decoder.size());
    for (var index = count - 1; index >= 0; index--) {
      var field = decoder.getHeaderField(index);
      write(buffer, field.name);
      write(buffer, field.value);
    }
    var fields = new byte[buffer.readableBytes()];
    buffer.readBytes(fields);
    return new KeptTable(capacity, fields);
  }

  /// @param reader a fresh one
  void giveTo(Http2FrameReader reader) throws Http2Exception {
    var decoder = decoder(reader);
    if (capacity != decoder.getMaxHeaderTableSize()) {
      decoder.decode(0, sizeChange(), EmptyHttp2Headers.INSTANCE, false);
    }
    var table = (HpackDynamicTable) TABLE.get(decoder);
    var buffer = Unpooled.wrappedBuffer(fields);
    while (buffer.isReadable()) {
      table.add(new HpackHeaderField(read(buffer), read(buffer)));
    }
  }

  private ByteBuf sizeChange() {
    var change = Unpooled.buffer(8);
    if (capacity < SIZE_IN_FIRST_BYTE_MAX) {
      return change.writeByte(SIZE_CHANGE | capacity);
    }
    change.writeByte(SIZE_CHANGE | SIZE_IN_FIRST_BYTE_MAX);
    writeNumber(change, capacity - SIZE_IN_FIRST_BYTE_MAX);
    return change;
  }

  private static HpackDecoder decoder(Http2FrameReader reader) {
    var headers = (DefaultHttp2HeadersDecoder) reader.configuration().headersConfiguration();
    return (HpackDecoder) DECODER.get(headers);
  }

  private static void write(ByteBuf buffer, CharSequence text) {
    var bytes = AsciiString.of(text);
    writeNumber(buffer, bytes.length());
    buffer.writeBytes(bytes.array(), bytes.arrayOffset(), bytes.length());
  }

  private static AsciiString read(ByteBuf buffer) {
    var bytes = new byte[readNumber(buffer)];
    buffer.readBytes(bytes);
    return new AsciiString(bytes, false);
  }

  /// Seven bits a byte, the lowest first (RFC 7541, 5.1).
  private static void writeNumber(ByteBuf buffer, int number) {
    var left = number;
    while (left > 0x7f) {
      buffer.writeByte((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    buffer.writeByte(left);
  }

  private static int readNumber(ByteBuf buffer) {
    var number = 0;
    for (var shift = 0; ; shift += 7) {
      var part = buffer.readByte();
      number |= (part & 0x7f) << shift;
      if (part >= 0) {
        return number;
      }
    }
  }
}
