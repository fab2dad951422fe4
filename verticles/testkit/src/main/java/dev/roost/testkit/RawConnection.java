package dev.roost.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocket;

/// A TLS connection whose bytes the test writes itself, for what no client would send.
public final class RawConnection implements AutoCloseable {

  private final SSLSocket socket;
  private final BufferedReader lines;

  private RawConnection(SSLSocket socket) throws IOException {
    this.socket = socket;
    this.lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  /// Connects and shakes hands.
  public static RawConnection to(TestServer server) {
    try {
      var sockets = TrustAll.context().getSocketFactory();
      var socket = (SSLSocket) sockets.createSocket("127.0.0.1", server.port());
      socket.setSoTimeout((int) Patience.LIMIT.toMillis());
      return new RawConnection(socket);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Writes `text` as it is.
  public void send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// The next line, which is the status line of an answer.
  public String statusLine() {
    try {
      return String.valueOf(lines.readLine());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// One whole answer whose length is told: head and body.
  public String answer() {
    var answer = new StringBuilder();
    var length = 0;
    for (var line = statusLine(); !line.isEmpty(); line = statusLine()) {
      answer.append(line).append('\n');
      if (line.startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring("content-length: ".length()));
      }
    }
    return answer.append('\n').append(read(length)).toString();
  }

  private String read(int length) {
    var body = new char[length];
    try {
      for (var read = 0; read < length; ) {
        var more = lines.read(body, read, length - read);
        if (more < 0) {
          throw new AssertionError("the server closed after %d of %d".formatted(read, length));
        }
        read += more;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new String(body);
  }

  /// Everything until the server closes.
  public String rest() {
    return lines.lines().collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // the server has closed it
    }
  }
}
