package dev.roost.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import javax.net.ssl.SSLSocket;

/// A client that sends a request over TLS and then reads nothing.
public record StalledReader(SSLSocket socket) implements AutoCloseable {

  public static StalledReader of(TestServer server, String path) {
    return sending(server, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path));
  }

  /// The same after a WebSocket's opening handshake (RFC 6455, 4.1).
  static StalledReader upgraded(TestServer server, String path) {
    return sending(
        server,
        """
        GET %s HTTP/1.1\r
        Host: localhost\r
        Connection: Upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        \r
        """
            .formatted(path));
  }

  private static StalledReader sending(TestServer server, String head) {
    try {
      var socket =
          (SSLSocket)
              TrustAll.context().getSocketFactory().createSocket("127.0.0.1", server.port());
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      return new StalledReader(socket);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Reads `bytes` of the answer, as a slow client does.
  void read(int bytes) throws IOException {
    socket.getInputStream().readNBytes(bytes);
  }

  /// Reads until the server closes or cuts the connection.
  ///
  /// @return the bytes read
  long readAll() {
    try {
      return socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      return -1; // cut in the middle of a record
    }
  }

  public boolean isOpen() {
    return !socket.isClosed();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // the server has dropped it
    }
  }
}
