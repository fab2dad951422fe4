package dev.roost.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HexFormat;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/// WebSockets over HTTP/2 (RFC 8441) are not announced, and who asks for one harms nobody:
/// docs/adr, 0012.
class ExtendedConnectTest {

  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int END_OF_HEADERS = 4;
  private static final int END_OF_STREAM = 1;

  /// Type, stream and payload of a frame (RFC 9113, 4.1).
  private record Frame(int type, int stream, String payload) {}

  @Test
  void an_extended_connect_is_a_stream_error_and_the_connection_lives_on() throws IOException {
    try (var server = TestServer.serving(routes -> routes.wsAsync("/async", s -> s.text(s::send)));
        var socket = connect(server)) {
      var input = new DataInputStream(socket.getInputStream());
      socket.getOutputStream().write(hello());
      var settings = next(input, SETTINGS);
      assertThat(settings.payload()).doesNotContain("000800000001"); // ENABLE_CONNECT_PROTOCOL
      assertThat(next(input, RST_STREAM)).isEqualTo(new Frame(RST_STREAM, 1, "00000001"));
      assertThat(next(input, HEADERS).stream()).isEqualTo(3);
    }
  }

  private static byte[] hello() {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    var extended =
        headers(
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "https",
            ":path",
            "/async",
            ":authority",
            "localhost",
            "sec-websocket-version",
            "13");
    bytes.writeBytes(frame(HEADERS, END_OF_HEADERS, 1, extended));
    var plain =
        headers(":method", "GET", ":scheme", "https", ":path", "/", ":authority", "localhost");
    bytes.writeBytes(frame(HEADERS, END_OF_HEADERS | END_OF_STREAM, 3, plain));
    return bytes.toByteArray();
  }

  /// Literals without indexing (RFC 7541, 6.2.2).
  private static byte[] headers(String... namesAndValues) {
    var block = new ByteArrayOutputStream();
    for (var i = 0; i < namesAndValues.length; i++) {
      if (i % 2 == 0) {
        block.write(0);
      }
      block.write(namesAndValues[i].length());
      block.writeBytes(namesAndValues[i].getBytes(US_ASCII));
    }
    return block.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    var frame = new ByteArrayOutputStream();
    var head = "%06x%02x%02x%08x".formatted(payload.length, type, flags, stream);
    frame.writeBytes(HexFormat.of().parseHex(head));
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  /// The next frame of `type`; others are read over.
  private static Frame next(DataInputStream input, int type) throws IOException {
    while (true) {
      var length = input.readUnsignedByte() << 16 | input.readUnsignedShort();
      var came = input.readUnsignedByte();
      input.readUnsignedByte();
      var stream = input.readInt();
      var payload = HexFormat.of().formatHex(input.readNBytes(length));
      if (came == type) {
        return new Frame(type, stream, payload);
      }
    }
  }

  private static SSLSocket connect(TestServer server) throws IOException {
    var sockets = TrustAll.context().getSocketFactory();
    var socket = (SSLSocket) sockets.createSocket("127.0.0.1", server.port());
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    return socket;
  }
}
