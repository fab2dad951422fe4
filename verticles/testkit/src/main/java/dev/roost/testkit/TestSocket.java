package dev.roost.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/// The JDK's WebSocket client, for a test that waits. `receive` hands out what came, in order.
public final class TestSocket implements AutoCloseable {

  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closeCode = new CompletableFuture<>();
  private final WebSocket socket;

  private TestSocket(HttpClient client, URI uri) {
    socket = Patience.await(client.newWebSocketBuilder().buildAsync(uri, new Listener()));
  }

  /// Opens a WebSocket to `path` of `server`.
  public static TestSocket open(TestServer server, String path) {
    return new TestSocket(
        server.client(), URI.create("wss://127.0.0.1:%d%s".formatted(server.port(), path)));
  }

  /// Sends a whole text message.
  public TestSocket send(String text) {
    Patience.await(socket.sendText(text, true));
    return this;
  }

  /// Sends a whole text message in `parts`, each a frame of its own.
  public TestSocket sendFragments(String... parts) {
    for (var i = 0; i < parts.length; i++) {
      Patience.await(socket.sendText(parts[i], i == parts.length - 1));
    }
    return this;
  }

  /// Sends a whole binary message.
  public TestSocket send(byte[] bytes) {
    Patience.await(socket.sendBinary(ByteBuffer.wrap(bytes), true));
    return this;
  }

  /// Sends a ping; the pong arrives as `pong:` and its payload.
  public TestSocket ping(String payload) {
    Patience.await(socket.sendPing(ByteBuffer.wrap(payload.getBytes(UTF_8))));
    return this;
  }

  /// The next text message, `bytes:` and the hexadecimal bytes of a binary one, or `pong:`.
  public String receive() {
    return Patience.poll(received);
  }

  /// Starts the close handshake.
  public TestSocket close(int code, String reason) {
    Patience.await(socket.sendClose(code, reason));
    return this;
  }

  /// The code the server closed with; 1006 when it left without a close frame.
  public int closeCode() {
    return Patience.await(closeCode);
  }

  /// Drops the connection without a close frame.
  @Override
  public void close() {
    socket.abort();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        received.add(text.toString());
        text.setLength(0);
      }
      webSocket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer part, boolean last) {
      var chunk = new byte[part.remaining()];
      part.get(chunk);
      bytes.writeBytes(chunk);
      if (last) {
        received.add("bytes:" + HexFormat.of().formatHex(bytes.toByteArray()));
        bytes.reset();
      }
      webSocket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onPong(WebSocket webSocket, ByteBuffer payload) {
      received.add("pong:" + UTF_8.decode(payload));
      webSocket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
      closeCode.complete(code);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
      closeCode.complete(1006);
    }
  }
}
