package dev.roost.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A WebSocket over TLS whose frames the test builds itself, for what no client would send (RFC
/// 6455, 5.2). Frames are masked with zeros, which leaves their payload readable.
public final class RawSocket implements AutoCloseable {

  /// One for all, so that handshakes are resumed and a table of many rows is quick.
  private static final SSLContext TLS = TrustAll.context();

  private static final String KEY = Base64.getEncoder().encodeToString(new byte[16]);
  private static final int FINAL = 0x80;
  private static final int MASKED = 0x80;

  private final SSLSocket socket;
  private final DataInputStream input;
  private String head = "";

  private RawSocket(SSLSocket socket) throws IOException {
    this.socket = socket;
    this.input = new DataInputStream(socket.getInputStream());
  }

  /// Upgrades at `path`.
  public static RawSocket open(TestServer server, String path, String... headers) {
    var socket = ask(server, handshake(path, headers));
    if (!socket.head.startsWith("HTTP/1.1 101 ")) {
      throw new AssertionError(socket.head);
    }
    return socket;
  }

  /// Sends `request` and reads the head of its answer.
  public static RawSocket ask(TestServer server, String request) {
    var socket = connect(server).send(request.getBytes(ISO_8859_1));
    socket.nextHead();
    return socket;
  }

  /// Connects, and asks for nothing yet.
  public static RawSocket connect(TestServer server) {
    return connect(server.port());
  }

  /// Connects to a server on `port`, and asks for nothing yet.
  public static RawSocket connect(int port) {
    try {
      var socket = (SSLSocket) TLS.getSocketFactory().createSocket("127.0.0.1", port);
      socket.setSoTimeout((int) Patience.LIMIT.toMillis());
      return new RawSocket(socket);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// A handshake as it should be; a header of `headers` replaces the usual one of its name, and one
  /// without a value takes it away.
  public static String handshake(String path, String... headers) {
    var lines = new java.util.TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    lines.put("Host", "localhost");
    lines.put("Connection", "Upgrade");
    lines.put("Upgrade", "websocket");
    lines.put("Sec-WebSocket-Version", "13");
    lines.put("Sec-WebSocket-Key", KEY);
    for (var header : headers) {
      var name = header.substring(0, header.indexOf(':'));
      lines.put(name, header.substring(name.length() + 1).strip());
    }
    return lines.entrySet().stream()
        .filter(line -> !line.getValue().isEmpty())
        .map(line -> line.getKey() + ": " + line.getValue() + "\r\n")
        .collect(Collectors.joining("", "GET " + path + " HTTP/1.1\r\n", "\r\n"));
  }

  /// The bytes of one masked frame.
  ///
  /// @param first FIN, the reserved bits and the opcode
  public static byte[] frame(int first, byte[] payload) {
    var frame = new ByteArrayOutputStream();
    frame.write(first);
    if (payload.length < 126) {
      frame.write(MASKED | payload.length);
    } else if (payload.length < 65_536) {
      frame.writeBytes(new byte[] {(byte) (MASKED | 126)});
      frame.writeBytes(new byte[] {(byte) (payload.length >> 8), (byte) payload.length});
    } else {
      frame.write(MASKED | 127);
      frame.writeBytes(HexFormat.of().parseHex("%016x".formatted(payload.length)));
    }
    frame.writeBytes(new byte[4]);
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  /// Writes `bytes` as they are.
  public RawSocket send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Writes a whole text message.
  public RawSocket text(String text) {
    return send(frame(FINAL | 1, text.getBytes(UTF_8)));
  }

  /// The status line and the headers of the answer, in lower case but for the status line.
  public String head() {
    return head;
  }

  /// The body of the answer, by its length.
  public String body() {
    var length = head.replaceFirst("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1");
    try {
      return new String(input.readNBytes(Integer.parseInt(length)), UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// The head of the next answer on the same connection.
  public String nextHead() {
    try {
      head = readHead();
      return head;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// The next frame: `text:` and its text, `bytes:`, `ping:`, `pong:` or `more:` and hexadecimal
  /// bytes, `close:` with code and reason; `-` after the name of a frame that is not the last of
  /// its message, `*` where it is compressed; `end` when the server has closed.
  public String next() {
    try {
      var first = input.readUnsignedByte();
      var payload = readPayload();
      var mark = ((first & FINAL) == 0 ? "-" : "") + ((first & 0x40) == 0 ? "" : "*");
      return switch (first & 0x0f) {
        case 1 -> "text" + mark + ":" + (mark.contains("*") ? hex(payload) : utf8(payload));
        case 2 -> "bytes" + mark + ":" + hex(payload);
        case 8 -> "close:" + closing(payload);
        case 9 -> "ping:" + hex(payload);
        case 10 -> "pong:" + hex(payload);
        default -> "more" + mark + ":" + hex(payload);
      };
    } catch (EOFException _) {
      return "end";
    } catch (IOException failure) {
      return "broken: " + failure.getMessage();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // the server has closed it
    }
  }

  private byte[] readPayload() throws IOException {
    var length = (long) input.readUnsignedByte();
    if (length == 126) {
      length = input.readUnsignedShort();
    } else if (length == 127) {
      length = input.readLong();
    }
    return input.readNBytes(Math.toIntExact(length));
  }

  private String readHead() throws IOException {
    var bytes = new ByteArrayOutputStream();
    while (!bytes.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      bytes.write(input.readUnsignedByte());
    }
    var lines = bytes.toString(ISO_8859_1);
    var status = lines.indexOf('\r');
    return lines.substring(0, status) + lines.substring(status).toLowerCase(Locale.ROOT);
  }

  private static String closing(byte[] payload) {
    if (payload.length < 2) {
      return "";
    }
    var code = (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
    return code + " " + new String(payload, 2, payload.length - 2, UTF_8);
  }

  private static String utf8(byte[] payload) {
    return new String(payload, UTF_8);
  }

  private static String hex(byte[] payload) {
    return HexFormat.of().formatHex(payload);
  }
}
