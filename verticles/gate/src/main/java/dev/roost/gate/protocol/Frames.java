package dev.roost.gate.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/// The few frames of HTTP/2 (RFC 9113) that a client of short GETs sends.
final class Frames {
  static final int HEADER_BYTES = 9;

  /// Largest payload a server may send as long as nobody allows more (section 6.5.2).
  static final int PAYLOAD_MAX = 16_384;

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;

  static final int FLAG_ACK = 0x1;
  static final int FLAG_END_STREAM = 0x1;
  static final int FLAG_END_HEADERS = 0x4;
  static final int FLAG_PADDED = 0x8;
  static final int FLAG_PRIORITY = 0x20;

  private static final int WINDOW_UPDATE = 8;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /// SETTINGS_HEADER_TABLE_SIZE 0, so that no field of an answer depends on an earlier one;
  /// SETTINGS_ENABLE_PUSH 0; SETTINGS_INITIAL_WINDOW_SIZE 1 MiB.
  private static final byte[] OUR_SETTINGS = {
    0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 0, 0x10, 0, 0
  };

  // HPACK (RFC 7541): entries of the static table, and literals that are not to be indexed.
  private static final int METHOD_GET = 0x82;
  private static final int PATH_ROOT = 0x84;
  private static final int SCHEME_HTTPS = 0x87;
  private static final int AUTHORITY_LITERAL = 0x01;
  private static final int PATH_LITERAL = 0x04;

  private Frames() {}

  /// What a client's connection begins with.
  static ByteBuf opening() {
    return Unpooled.wrappedBuffer(
        Unpooled.copiedBuffer(PREFACE, StandardCharsets.US_ASCII),
        frame(OUR_SETTINGS.length, SETTINGS, 0, 0).writeBytes(OUR_SETTINGS));
  }

  /// A GET without a body; `path` and `authority` have less than 127 bytes each.
  static ByteBuf get(int stream, String path, String authority) {
    ByteBuf fields = Unpooled.buffer(3 + 2 + path.length() + 2 + authority.length());
    fields.writeByte(METHOD_GET).writeByte(SCHEME_HTTPS);
    if (path.equals("/")) {
      fields.writeByte(PATH_ROOT);
    } else {
      literal(fields, PATH_LITERAL, path);
    }
    literal(fields, AUTHORITY_LITERAL, authority);
    int flags = FLAG_END_HEADERS | FLAG_END_STREAM;
    return frame(fields.readableBytes(), HEADERS, flags, stream).writeBytes(fields);
  }

  private static void literal(ByteBuf fields, int name, String value) {
    fields.writeByte(name).writeByte(value.length());
    fields.writeCharSequence(value, StandardCharsets.US_ASCII);
  }

  static ByteBuf settingsAck() {
    return frame(0, SETTINGS, FLAG_ACK, 0);
  }

  /// @param payload the eight bytes of the ping
  static ByteBuf pingAck(ByteBuf payload) {
    return frame(payload.readableBytes(), PING, FLAG_ACK, 0).writeBytes(payload);
  }

  /// Gives the server back room for `length` bytes on stream `stream`, 0 for the connection.
  static ByteBuf windowUpdate(int stream, int length) {
    return frame(4, WINDOW_UPDATE, 0, stream).writeInt(length);
  }

  /// A frame's header with room for its payload behind.
  private static ByteBuf frame(int length, int type, int flags, int stream) {
    return Unpooled.buffer(HEADER_BYTES + length)
        .writeMedium(length)
        .writeByte(type)
        .writeByte(flags)
        .writeInt(stream);
  }
}
