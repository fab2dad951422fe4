package dev.roost.server.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/// An HTTP/2 client of bare frames (RFC 9113), which alone decides who gets a window. Confined to
/// its test's thread.
final class Http2Peer implements AutoCloseable {

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_OF_STREAM = 1;
  private static final int END_OF_HEADERS = 4;

  /// INITIAL_WINDOW_SIZE.
  private static final int WINDOW_SETTING = 4;

  private final SSLSocket socket;
  private final DataInputStream input;
  private final Map<Integer, Answer> answers = new HashMap<>();
  private int streams;
  private boolean toldToLeave;

  /// What came of one answer.
  static final class Answer {
    final ByteArrayOutputStream body = new ByteArrayOutputStream();
    int heads;
    int owed;
    boolean ended;
    boolean reset;
  }

  private Http2Peer(SSLSocket socket) throws IOException {
    this.socket = socket;
    this.input = new DataInputStream(socket.getInputStream());
  }

  /// Connects with a window of `bytes` for each stream, and one of a gigabyte for all together.
  static Http2Peer of(TestServer server, int bytes) throws IOException {
    var sockets = TrustAll.context().getSocketFactory();
    var socket = (SSLSocket) sockets.createSocket("127.0.0.1", server.port());
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    var peer = new Http2Peer(socket);
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    peer.initialWindow(bytes);
    peer.grow(0, 1 << 30);
    return peer;
  }

  /// Gives all streams, those that are open as well, a window of `bytes` from the start.
  void initialWindow(int bytes) throws IOException {
    send(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) WINDOW_SETTING).putInt(bytes));
  }

  /// Lets a stream send `bytes` more.
  void grow(int stream, int bytes) throws IOException {
    send(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes));
  }

  /// Gives a stream up.
  void cancel(int stream) throws IOException {
    send(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(8));
  }

  /// Asks for `path`.
  ///
  /// @return the stream
  int get(String path) throws IOException {
    var stream = 2 * streams++ + 1;
    answers.put(stream, new Answer());
    var block = new ByteArrayOutputStream();
    literal(block, ":method", "GET");
    literal(block, ":scheme", "https");
    literal(block, ":authority", "localhost");
    literal(block, ":path", path);
    var flags = END_OF_HEADERS | END_OF_STREAM;
    send(HEADERS, flags, stream, ByteBuffer.wrap(block.toByteArray()).position(block.size()));
    return stream;
  }

  Answer answer(int stream) {
    return requireNonNull(answers.get(stream));
  }

  /// Reads until an answer has at least `bytes`.
  void until(int stream, int bytes) throws IOException {
    while (answer(stream).body.size() < bytes) {
      read();
    }
  }

  /// Reads until these answers are whole or reset, and gives them windows for all they send.
  void take(Set<Integer> taken) throws IOException {
    for (var stream : taken) {
      giveBack(stream);
    }
    while (!taken.stream().map(this::answer).allMatch(a -> a.ended || a.reset)) {
      var stream = read();
      if (taken.contains(stream)) {
        giveBack(stream);
      }
    }
  }

  /// Reads until the server closes.
  ///
  /// @return whether it said GOAWAY before
  boolean untilClosed() throws IOException {
    try {
      while (true) {
        read();
      }
    } catch (EOFException _) {
      return toldToLeave;
    }
  }

  private void giveBack(int stream) throws IOException {
    var answer = answer(stream);
    if (answer.owed > 0 && !answer.ended) {
      grow(stream, answer.owed);
      answer.owed = 0;
    }
  }

  /// Reads a frame, and gives its stream.
  private int read() throws IOException {
    var length = input.readUnsignedByte() << 16 | input.readUnsignedShort();
    var type = input.readUnsignedByte();
    var flags = input.readUnsignedByte();
    var stream = input.readInt();
    var payload = input.readNBytes(length);
    toldToLeave |= type == GOAWAY;
    if (type == SETTINGS && (flags & 1) == 0) {
      send(SETTINGS, 1, 0, ByteBuffer.allocate(0));
    } else if (answers.containsKey(stream)) {
      note(answer(stream), type, flags, payload);
    }
    return stream;
  }

  private static void note(Answer answer, int type, int flags, byte[] payload) {
    switch (type) {
      case DATA -> {
        answer.body.writeBytes(payload);
        answer.owed += payload.length;
      }
      case HEADERS -> answer.heads++;
      case RST_STREAM -> answer.reset = true;
      default -> {}
    }
    answer.ended |= type <= HEADERS && (flags & END_OF_STREAM) != 0;
  }

  private void send(int type, int flags, int stream, ByteBuffer payload) throws IOException {
    payload.flip();
    var length = payload.remaining();
    var frame =
        ByteBuffer.allocate(9 + length)
            .put((byte) (length >> 16))
            .putShort((short) length)
            .put((byte) type)
            .put((byte) flags)
            .putInt(stream)
            .put(payload);
    socket.getOutputStream().write(frame.array());
  }

  /// Without indexing (RFC 7541, 6.2.2).
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    block.write(name.length());
    block.writeBytes(name.getBytes(US_ASCII));
    block.write(value.length());
    block.writeBytes(value.getBytes(US_ASCII));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
