package dev.roost.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// The JDK's client, which keeps the session tickets that a port gives it. Whether it resumed is
/// what the server counts. Confined to one thread.
public final class ResumingClient {

  private static final String REQUEST =
      "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

  private final SSLContext tls = TrustAll.context();
  private final String version;

  /// @param version `TLSv1.2` or `TLSv1.3`
  public ResumingClient(String version) {
    this.version = version;
  }

  /// Sends one request on a connection of its own.
  ///
  /// @return the whole answer
  public String ask(int port) {
    try (var tcp = new Socket(InetAddress.getLoopbackAddress(), port);
        var socket = (SSLSocket) tls.getSocketFactory().createSocket(tcp, "roost", port, true)) {
      socket.setEnabledProtocols(new String[] {version});
      socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
