package dev.roost.server.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.EmptyHttp2Headers;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/// An HTTP/2 client of bare frames (RFC 9113), which alone decides who gets a window. Confined to
/// its test's thread.
public final class Http2Peer implements AutoCloseable {

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_OF_STREAM = 1;
  private static final int END_OF_HEADERS = 4;

  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;
  private static final int FRAME_BYTES_MAX = 16_384;

  /// A stream to depend on, and a weight, before the fields.
  private static final int PRIORITY = 0x20;

  private static final int PRIORITY_BYTES = 5;

  /// INITIAL_WINDOW_SIZE.
  private static final int WINDOW_SETTING = 4;

  /// Of a goodbye that has not come.
  public static final int NONE = -1;

  private final Socket wire;
  private final SSLSocket socket;
  private final DataInputStream input;
  private final Map<Integer, Answer> answers = new HashMap<>();
  private final Http2HeadersDecoder fields = new DefaultHttp2HeadersDecoder();
  private final Map<Integer, Integer> windows = new HashMap<>(Map.of(0, 65_535));
  private int streams;
  private long pong;
  private int acknowledged;
  private int lastTaken = NONE;

  /// What came of one answer.
  public static final class Answer {
    public final ByteArrayOutputStream body = new ByteArrayOutputStream();
    public Http2Headers head = EmptyHttp2Headers.INSTANCE;
    public boolean reset;
    int heads;
    int owed;
    boolean ended;
  }

  private Http2Peer(Socket wire, SSLSocket socket) throws IOException {
    this.wire = wire;
    this.socket = socket;
    this.input = new DataInputStream(socket.getInputStream());
  }

  /// Connects with a window of `bytes` for each stream, and one of a gigabyte for all together.
  public static Http2Peer of(TestServer server, int bytes) throws IOException {
    var peer = withoutWindow(server, bytes);
    peer.grow(0, 1 << 30);
    return peer;
  }

  /// Connects with a window of `bytes` for each stream, and the first one for all together.
  public static Http2Peer withoutWindow(TestServer server, int bytes) throws IOException {
    var sockets = TrustAll.context().getSocketFactory();
    var wire = new Socket(InetAddress.getLoopbackAddress(), server.port());
    var socket = (SSLSocket) sockets.createSocket(wire, "127.0.0.1", server.port(), true);
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    var peer = new Http2Peer(wire, socket);
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    peer.initialWindow(bytes);
    return peer;
  }

  /// Gives all streams, those that are open as well, a window of `bytes` from the start.
  public void initialWindow(int bytes) throws IOException {
    setting(WINDOW_SETTING, bytes);
  }

  /// Sets one thing.
  public void setting(int key, int value) throws IOException {
    send(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) key).putInt(value));
  }

  /// Reads until the server has taken so many settings.
  public void untilSet(int times) throws IOException {
    while (acknowledged < times) {
      read();
    }
  }

  /// Reads until the server has answered to a PING, which is sent first.
  public void ping(long number) throws IOException {
    send(PING, 0, 0, ByteBuffer.allocate(8).putLong(number));
    while (pong != number) {
      read();
    }
  }

  /// Lets a stream send `bytes` more.
  public void grow(int stream, int bytes) throws IOException {
    send(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes));
  }

  /// Gives a stream up.
  public void cancel(int stream) throws IOException {
    send(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(8));
  }

  /// Asks for `path`.
  ///
  /// @return the stream
  public int get(String path) throws IOException {
    return ask("GET", path, new byte[0], true);
  }

  /// Asks for `path`, with fields that are encoded already.
  ///
  /// @return the stream
  public int ask(String method, String path, byte[] more, boolean last) throws IOException {
    var stream = begin();
    var block = new ByteArrayOutputStream();
    literal(block, ":method", method);
    literal(block, ":scheme", "https");
    literal(block, ":authority", "localhost");
    literal(block, ":path", path);
    block.writeBytes(more);
    head(stream, block.toByteArray(), END_OF_HEADERS | (last ? END_OF_STREAM : 0));
    return stream;
  }

  /// Posts `body`, of which it sends what the windows let it.
  ///
  /// @return the stream
  public int post(String path, byte[] body) throws IOException {
    var stream = ask("POST", path, new byte[0], false);
    for (var at = 0; at < body.length; ) {
      var room = Math.min(window(0), window(stream));
      var part = Math.min(Math.min(room, body.length - at), FRAME_BYTES_MAX);
      if (part <= 0) {
        read();
        continue;
      }
      windows.merge(0, -part, Integer::sum);
      windows.merge(stream, -part, Integer::sum);
      var flags = at + part == body.length ? END_OF_STREAM : 0;
      send(DATA, flags, stream, ByteBuffer.wrap(body).position(at).slice().position(part));
      at += part;
    }
    return stream;
  }

  /// Opens a stream.
  public int begin() {
    var stream = 2 * streams++ + 1;
    answers.put(stream, new Answer());
    windows.put(stream, 65_535);
    return stream;
  }

  /// Sends a field block, or part of one.
  ///
  /// @param flags END_STREAM is 1, END_HEADERS 4
  public void head(int stream, byte[] block, int flags) throws IOException {
    send(HEADERS, flags, stream, ByteBuffer.wrap(block).position(block.length));
  }

  /// Sends the last part of a field block (CONTINUATION).
  public void go(int stream, byte[] block) throws IOException {
    send(9, END_OF_HEADERS, stream, ByteBuffer.wrap(block).position(block.length));
  }

  /// Sends bytes of frames as they are.
  public void raw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /// Sends bytes past TLS.
  public void wire(byte[] bytes) throws IOException {
    wire.getOutputStream().write(bytes);
  }

  /// Ends this side of the TCP connection past TLS.
  public void endWire() throws IOException {
    wire.shutdownOutput();
  }

  /// How much may be sent on a stream; 0 for all.
  public int window(int stream) {
    return windows.getOrDefault(stream, 0);
  }

  /// The last stream that the server will answer on; [#NONE] if it has not said goodbye.
  public int lastTaken() {
    return lastTaken;
  }

  /// Reads until the server has closed the connection in order.
  public void untilClosed() throws IOException {
    try {
      while (true) {
        read();
      }
    } catch (EOFException _) {
      // as it should be
    }
  }

  /// Ends the connection without a word.
  public void abandon() throws IOException {
    wire.setSoLinger(true, 0);
    wire.close();
  }

  public Answer answer(int stream) {
    return requireNonNull(answers.get(stream));
  }

  /// Reads until an answer has at least `bytes`.
  public void until(int stream, int bytes) throws IOException {
    while (answer(stream).body.size() < bytes) {
      read();
    }
  }

  /// Reads until these answers are whole or reset, and gives them windows for all they send.
  public void take(Set<Integer> taken) throws IOException {
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
    if (type == SETTINGS && (flags & ACK) == 0) {
      send(SETTINGS, ACK, 0, ByteBuffer.allocate(0));
    } else if (type == WINDOW_UPDATE) {
      windows.merge(stream, ByteBuffer.wrap(payload).getInt(), Integer::sum);
    } else if (stream == 0) {
      noteConnection(type, ByteBuffer.wrap(payload));
    } else if (answers.containsKey(stream)) {
      note(answer(stream), type, flags, payload);
    }
    return stream;
  }

  private void noteConnection(int type, ByteBuffer payload) {
    switch (type) {
      case SETTINGS -> acknowledged++;
      case PING -> pong = payload.getLong();
      case GOAWAY -> lastTaken = payload.getInt();
      default -> {}
    }
  }

  private void note(Answer answer, int type, int flags, byte[] payload) {
    switch (type) {
      case DATA -> {
        answer.body.writeBytes(payload);
        answer.owed += payload.length;
      }
      case HEADERS -> {
        answer.heads++;
        answer.head = decoded((flags & PRIORITY) == 0 ? payload : after(PRIORITY_BYTES, payload));
      }
      case RST_STREAM -> answer.reset = true;
      default -> {}
    }
    answer.ended |= type <= HEADERS && (flags & END_OF_STREAM) != 0;
  }

  private static byte[] after(int first, byte[] bytes) {
    return Arrays.copyOfRange(bytes, first, bytes.length);
  }

  private Http2Headers decoded(byte[] block) {
    try {
      return fields.decodeHeaders(1, Unpooled.wrappedBuffer(block));
    } catch (Http2Exception failure) {
      throw new AssertionError("a field block that cannot be read", failure);
    }
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
