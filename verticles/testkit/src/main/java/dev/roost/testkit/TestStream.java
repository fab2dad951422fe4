package dev.roost.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/// One event stream read by a test. `receive` hands out whole events as they stood on the wire; an
/// id alone, which no client dispatches, is kept as the position.
public final class TestStream implements AutoCloseable {

  /// What `receive` gives when the server has ended the stream.
  public static final String END = "(end)";

  private final HttpResponse<InputStream> response;
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final CompletableFuture<String> position = new CompletableFuture<>();

  private TestStream(HttpResponse<InputStream> response) {
    this.response = response;
    Thread.ofVirtual().start(this::read);
  }

  /// Opens the stream at `path`.
  public static TestStream open(TestServer server, String path) {
    return open(server, HttpRequest.newBuilder(server.uri(path)));
  }

  /// Opens the stream as a client that comes back.
  public static TestStream resume(TestServer server, String path, String lastEventId) {
    return open(
        server, HttpRequest.newBuilder(server.uri(path)).header("Last-Event-ID", lastEventId));
  }

  /// The next event or comment, its lines joined by `|`, or [#END].
  public String receive() {
    return Patience.poll(events);
  }

  /// The id of the place where the stream began, as the server told it.
  public String position() {
    return Patience.await(position);
  }

  /// The head of the answer.
  public HttpResponse<InputStream> response() {
    return response;
  }

  /// Leaves, as a browser does that closes the page.
  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException _) {
      // it was closed already
    }
  }

  /// Opens the stream by any request; its address comes from [TestServer#uri].
  public static TestStream open(TestServer server, HttpRequest.Builder request) {
    return new TestStream(
        Patience.await(server.client().sendAsync(request.build(), BodyHandlers.ofInputStream())));
  }

  private void read() {
    try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      var event = new StringBuilder();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty()) {
          event.append(event.isEmpty() ? "" : "|").append(line);
        } else if (!event.isEmpty()) {
          dispatch(event.toString());
          event.setLength(0);
        }
      }
      events.add(END);
    } catch (IOException _) {
      events.add(END);
    }
  }

  private void dispatch(String event) {
    if (event.startsWith("id: ") && event.indexOf('|') < 0) {
      position.complete(event.substring("id: ".length()));
    } else {
      events.add(event);
    }
  }
}
