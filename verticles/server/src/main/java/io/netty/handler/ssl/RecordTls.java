package io.netty.handler.ssl;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.UndecodedBytes;
import java.util.concurrent.Executor;

/// Netty's TLS handler, which besides knows whether a record has come in part: BoringSSL takes the
/// part, and does not tell. Confined to the connection's event loop.
public final class RecordTls extends SslHandler {

  /// Type, version, length (RFC 8446, 5.1).
  private static final int HEADER_BYTES = 5;

  private int headerBytes;
  private int length;
  private int bytesLeft;

  /// @param made is replaced by this one
  public RecordTls(SslHandler made, Executor executor) {
    super(made.engine(), executor);
  }

  /// Whether no record has come in part.
  public static boolean isBetweenRecords(SslHandler tls) {
    return tls instanceof RecordTls records
        ? records.bytesLeft == 0 && records.headerBytes == 0
        : !UndecodedBytes.in(tls);
  }

  /// Bytes to come of a record whose header has come whole; -1 if it has come in part.
  public static int bytesLeft(SslHandler tls) {
    if (tls instanceof RecordTls records) {
      return records.headerBytes == 0 ? records.bytesLeft : -1;
    }
    return isBetweenRecords(tls) ? 0 : -1;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof ByteBuf bytes) {
      follow(bytes);
    }
    super.channelRead(context, message);
  }

  private void follow(ByteBuf bytes) {
    var at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (bytesLeft > 0) {
        var some = Math.min(bytesLeft, bytes.writerIndex() - at);
        bytesLeft -= some;
        at += some;
      } else {
        begin(bytes.getUnsignedByte(at++));
      }
    }
  }

  private void begin(int header) {
    length = ((length << Byte.SIZE) & 0xffff) | header;
    if (++headerBytes == HEADER_BYTES) {
      bytesLeft = length;
      headerBytes = 0;
    }
  }
}
