package dev.roost.server.park;

import dev.roost.server.park.ParkedTable.Kept;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.unix.FileDescriptor;
import io.netty.handler.ssl.KeptSsl;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Optional;

/// What is said at the end of a parked connection, by its peer or to it. Confined to one thread.
final class LastWords {

  private static final Logger LOG = System.getLogger(LastWords.class.getName());

  /// A record of TLS with less in it is no request that HTTP/1.1 knows: `GET / HTTP/1.1`, `Host:`
  /// and bare line ends are 22 bytes; with the header of the record and the tag of any AEAD suite
  /// they are 43 (RFC 7905). The JDK's goodbye is 40, the longest known.
  private static final int REQUEST_BYTES_MIN = 43;

  /// Nor with less in it one that HTTP/2 knows: a frame has 9 bytes of header, and one of HEADERS a
  /// byte at least for each of three fields that a request must have (RFC 9113, 8.3.1).
  private static final int HTTP2_REQUEST_BYTES_MIN = 5 + 9 + 3 + 1 + 16;

  private final ByteBuffer read = ByteBuffer.allocateDirect(REQUEST_BYTES_MIN);
  private final ByteBuffer words = ByteBuffer.allocateDirect(64);
  private final ByteBuffer goodbye = ByteBuffer.allocateDirect(1_024);

  /// Reads what a peer sent before it ended its side.
  ///
  /// @return empty if it is gone and has asked for nothing more: what little came is its goodbye
  Optional<ByteBuf> of(int socket, Kept kept) {
    var least = kept.http2() == null ? REQUEST_BYTES_MIN : HTTP2_REQUEST_BYTES_MIN;
    read.clear();
    try {
      var count = new FileDescriptor(socket).read(read, 0, least);
      return count < least
          ? Optional.empty()
          : Optional.of(Unpooled.copiedBuffer(read.limit(count)));
    } catch (IOException _) {
      return Optional.empty(); // it was reset
    }
  }

  /// Tells the peer that nothing more will come, if there is room to.
  void sayGoodbye(int socket, Kept kept) {
    if (kept.tls().equals(KeptSsl.NONE)) {
      return;
    }
    goodbye.clear();
    words.clear();
    if (kept.http2() != null) {
      words.put(kept.http2().goodbye().nioBuffer());
    }
    kept.tls().sayGoodbye(words.flip(), goodbye);
    var _ = send(socket, goodbye.flip());
  }

  /// @return false if the peer does not take them all at once
  static boolean send(int socket, ByteBuffer bytes) {
    try {
      var sent = new FileDescriptor(socket).write(bytes, 0, bytes.limit());
      return sent == bytes.limit();
    } catch (IOException failure) {
      LOG.log(Level.DEBUG, "the peer of a parked connection is gone: {0}", failure.getMessage());
      return false;
    }
  }

  void close(int socket) {
    try {
      new FileDescriptor(socket).close();
    } catch (IOException failure) {
      LOG.log(Level.WARNING, "a parked socket: {0}", failure.getMessage());
    }
  }
}
