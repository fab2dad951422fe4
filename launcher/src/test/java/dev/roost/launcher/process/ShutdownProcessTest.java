package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TrustAll;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SIGTERM while something of each kind is open: everything ends in order, within the drain
/// timeout.
class ShutdownProcessTest {

  private final HttpClient client =
      HttpClient.newBuilder().sslContext(TrustAll.context()).version(Version.HTTP_1_1).build();
  @TempDir private Path folder = Path.of("");
  private VertxProcess server;
  private int port;
  private int managementPort;

  ShutdownProcessTest() {}

  @BeforeEach
  void start() throws IOException {
    server =
        VertxProcess.servingClass(LingeringRoutes.class, folder, "--set", "shutdown.pre-stop=1s");
    var ready = server.ready();
    port = Integer.parseInt(ready.group(1));
    managementPort = Integer.parseInt(ready.group(2));
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  @Test
  void what_is_answered_later_is_answered_and_its_client_sent_elsewhere() throws Exception {
    var slow = ask("/slow");
    var deferred = ask("/deferred");
    inFlight(2);
    server.signal("TERM");
    assertThat(Patience.await(slow).body()).isEqualTo("slow");
    assertThat(Patience.await(slow).headers().firstValue("connection")).hasValue("close");
    assertThat(Patience.await(deferred).body()).isEqualTo("deferred");
    assertThat(Patience.await(deferred).headers().firstValue("connection")).hasValue("close");
    assertEnded();
  }

  @Test
  void a_long_poll_gets_its_cursor_and_a_stream_its_last_comment() throws Exception {
    var poll = ask("/poll");
    var stream = ask("/stream");
    inFlight(2);
    server.signal("TERM");
    assertThat(Patience.await(poll).statusCode()).isEqualTo(204);
    assertThat(Patience.await(poll).headers().firstValue("roost-cursor").orElse("")).endsWith("-0");
    assertThat(Patience.await(stream).body()).endsWith(": the server is going away\n\n");
    assertEnded();
  }

  @Test
  void sockets_of_both_kinds_are_closed_with_1001() throws Exception {
    var async = new Closing();
    var blocking = new Closing();
    async.open("/socket");
    blocking.open("/blocking-socket");
    server.signal("TERM");
    assertThat(Patience.await(async.code)).isEqualTo(1001);
    assertThat(Patience.await(blocking.code)).isEqualTo(1001);
    assertEnded();
  }

  @Test
  void an_http2_connection_gets_goaway_and_its_stream_an_answer() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var goAway = new CompletableFuture<Long>();
      var http2 = http2(vertx, goAway);
      var answer = ask(http2, "/deferred");
      inFlight(1);
      server.signal("TERM");
      assertThat(Patience.await(goAway)).isZero();
      assertThat(answer.await().toString()).isEqualTo("deferred");
      assertEnded();
      http2.close().await();
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void it_is_not_ready_at_once_live_throughout_and_serves_during_the_pause() throws Exception {
    var slow = ask("/slow");
    inFlight(1);
    server.signal("TERM").logged("stopping (SIGTERM)");
    Patience.until("it is not ready", () -> probe("/readyz") == 503);
    assertThat(Patience.await(ask("/")).body()).isEqualTo("hello");
    while (!slow.isDone()) {
      assertThat(probe("/livez")).isEqualTo(200);
    }
    assertEnded();
  }

  private void assertEnded() throws Exception {
    assertThat(server.exitCode()).isZero();
    assertThat(server.errors()).doesNotContain("\tat ", "Exception", "WARNING");
  }

  private CompletableFuture<HttpResponse<String>> ask(String path) {
    var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path)).build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  private void inFlight(int requests) {
    var line = "roost_http_requests_in_flight %d.0".formatted(requests);
    Patience.until(line, () -> management("/metrics").body().contains(line));
  }

  private int probe(String path) {
    return management(path).statusCode();
  }

  private HttpResponse<String> management(String path) {
    var uri = URI.create("http://127.0.0.1:" + managementPort + path);
    return Patience.await(
        client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()));
  }

  private static HttpClientAgent http2(Vertx vertx, CompletableFuture<Long> goAway) {
    var options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setSsl(true)
            .setUseAlpn(true)
            .setTrustAll(true)
            .setVerifyHost(false);
    return vertx
        .httpClientBuilder()
        .with(options)
        .withConnectHandler(
            connection -> connection.goAwayHandler(frame -> goAway.complete(frame.getErrorCode())))
        .build();
  }

  private Future<Buffer> ask(HttpClientAgent http2, String path) {
    return http2
        .request(HttpMethod.GET, port, "127.0.0.1", path)
        .compose(request -> request.send().compose(response -> response.body()));
  }

  /// A socket that tells how it was closed.
  private final class Closing implements WebSocket.Listener {
    private final CompletableFuture<Integer> code = new CompletableFuture<>();

    void open(String path) {
      var uri = URI.create("wss://127.0.0.1:" + port + path);
      Patience.await(client.newWebSocketBuilder().buildAsync(uri, this));
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      code.complete(status);
      return CompletableFuture.completedFuture(null);
    }
  }
}
