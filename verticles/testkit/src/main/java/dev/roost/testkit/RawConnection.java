package dev.roost.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;

/// A TLS connection whose bytes the test writes itself, for what no client would send.
public final class RawConnection implements AutoCloseable {

  private final CountedSocket tcp;
  private final SSLSocket socket;
  private final InputStream input;

  /// How a client says that it sends nothing more.
  public enum Ending {
    /// The alert of TLS; the TCP connection stays as it is.
    CLOSE_NOTIFY,
    /// A FIN without the alert.
    FIN,
    /// The alert, then a FIN.
    BOTH
  }

  /// One answer.
  ///
  /// @param status status code
  /// @param headers by lower-case name
  /// @param body as ISO 8859-1
  public record Answer(int status, Map<String, String> headers, String body) {}

  private RawConnection(CountedSocket tcp) throws IOException {
    this.tcp = tcp;
    this.socket =
        (SSLSocket)
            TrustAll.context()
                .getSocketFactory()
                .createSocket(tcp, "127.0.0.1", tcp.getPort(), false);
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    this.input = new BufferedInputStream(socket.getInputStream());
  }

  /// Connects and shakes hands.
  public static RawConnection to(TestServer server) {
    return to(server, _ -> {});
  }

  /// The same with a socket that is prepared before it shakes hands.
  public static RawConnection to(TestServer server, Consumer<SSLSocket> prepare) {
    try {
      var connection = new RawConnection(new CountedSocket(server.port()));
      prepare.accept(connection.socket);
      connection.socket.startHandshake();
      return connection;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Writes `text` as it is, in one TLS record where it fits.
  public void send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Writes `bytes` below TLS, which makes nothing of them.
  public void garble(byte[] bytes) {
    try {
      tcp.getOutputStream().write(bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Changes the keys of this side, and asks for new ones of the other (RFC 8446, 4.6.3).
  public void updateKeys() {
    try {
      socket.startHandshake();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Sends nothing more; what comes can still be read.
  public void end(Ending ending) {
    try {
      if (ending != Ending.FIN) {
        socket.shutdownOutput();
      }
      if (ending != Ending.CLOSE_NOTIFY) {
        tcp.shutdownOutput();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Sends bytes past TLS.
  public void wire(int... bytes) {
    try {
      for (var each : bytes) {
        tcp.wire().write(each);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Keeps back what TLS sends from now on.
  public void hold() {
    tcp.held = Optional.of(new ByteArrayOutputStream());
  }

  /// Sends the first bytes of what was kept back, and goes on keeping the rest.
  public void letGo(int bytes) {
    try {
      var held = tcp.held.orElseThrow().toByteArray();
      tcp.wire().write(held, 0, bytes);
      tcp.held.orElseThrow().reset();
      tcp.held.orElseThrow().write(held, bytes, held.length - bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Sends what was kept back, and keeps nothing more.
  public void letGo() {
    letGo(tcp.held.orElseThrow().size());
    tcp.held = Optional.empty();
  }

  /// Leaves without a word: what the server sends from now on is answered with a reset.
  public void reset() {
    try {
      tcp.setSoLinger(true, 0);
      tcp.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// The next line, which is the status line of an answer.
  public String statusLine() {
    return line();
  }

  /// The next answer, interim ones (100) left out.
  public Answer answer() {
    var status = Integer.parseInt(line().split(" ", 3)[1]);
    var headers = new HashMap<String, String>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      var colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    if (status == 100) {
      return answer();
    }
    return new Answer(status, Map.copyOf(headers), body(headers));
  }

  /// Everything until the server closes.
  public String rest() {
    try {
      return new String(input.readAllBytes(), ISO_8859_1);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// TLS records of application data that came so far.
  public long recordsReceived() {
    return tcp.records;
  }

  @Override
  public void close() {
    try {
      tcp.close();
    } catch (IOException _) {
      // the server has closed it
    }
  }

  private String body(Map<String, String> headers) {
    try {
      var length = headers.get("content-length");
      if (length != null) {
        return new String(input.readNBytes(Integer.parseInt(length)), ISO_8859_1);
      }
      var body = new StringBuilder();
      if ("chunked".equals(headers.get("transfer-encoding"))) {
        for (var bytes = chunkBytes(); bytes > 0; bytes = chunkBytes()) {
          body.append(new String(input.readNBytes(bytes), ISO_8859_1));
          line();
        }
        line();
      }
      return body.toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private int chunkBytes() {
    return Integer.parseInt(line(), 16);
  }

  /// @return `null` as a text when the server has closed
  private String line() {
    try {
      var line = new StringBuilder();
      for (var next = input.read(); next != '\n'; next = input.read()) {
        if (next < 0) {
          return line.isEmpty() ? "null" : line.toString();
        }
        line.append((char) next);
      }
      return line.toString().stripTrailing();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Counts the records of application data that TLS reads from it, and may keep back what it
  /// writes.
  private static final class CountedSocket extends Socket {
    private static final int APPLICATION_DATA = 23;
    private long records;
    private Optional<ByteArrayOutputStream> held = Optional.empty();

    CountedSocket(int port) throws IOException {
      super("127.0.0.1", port);
      setTcpNoDelay(true);
    }

    OutputStream wire() throws IOException {
      return super.getOutputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      var tcp = wire();
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          if (held.isPresent()) {
            held.get().write(bytes, offset, length);
          } else {
            tcp.write(bytes, offset, length);
          }
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      var tcp = super.getInputStream();
      return new InputStream() {
        private final byte[] header = new byte[5];
        private int headerBytes;
        private int bodyLeft;

        @Override
        public int read() throws IOException {
          var one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          var read = tcp.read(bytes, offset, length);
          for (var i = 0; i < read; i++) {
            count(bytes[offset + i]);
          }
          return read;
        }

        private void count(byte next) {
          if (bodyLeft > 0) {
            bodyLeft--;
            return;
          }
          header[headerBytes++] = next;
          if (headerBytes == header.length) {
            headerBytes = 0;
            bodyLeft = ((header[3] & 0xff) << 8) | (header[4] & 0xff);
            records += header[0] == APPLICATION_DATA ? 1 : 0;
          }
        }
      };
    }
  }
}
