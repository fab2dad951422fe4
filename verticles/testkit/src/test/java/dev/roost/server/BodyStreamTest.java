package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import io.vertx.core.file.OpenOptions;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Bodies that their handlers read as they come.
class BodyStreamTest {

  private static final int BIG = 32 << 20;

  private final LinkedBlockingQueue<RoutingContext> requests = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final AtomicLong sent = new AtomicLong();

  @ParameterizedTest
  @EnumSource
  void a_body_goes_to_a_file_without_being_held(Version version, @TempDir Path folder) {
    var file = folder.resolve("big").toString();
    RouteSet routes =
        r -> r.body(BIG).streaming().put("/big", c -> save(c, file).onSuccess(_ -> c.end("saved")));
    try (var server = TestServer.serving(routes);
        var client = client(version)) {
      assertThat(Patience.await(put(client, server)).body()).isEqualTo("saved");
      assertThat(Path.of(file)).hasSize(BIG);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handler_that_pauses_stops_its_client(Version version) {
    RouteSet routes = r -> r.body(BIG).streaming().put("/big", requests::add);
    try (var server = TestServer.serving(routes);
        var client = client(version)) {
      var answer = put(client, server);
      var request = Patience.poll(requests);
      Patience.until("the client waits", () -> hasStopped(server));
      assertThat(sent.get()).isBetween(1L, BIG / 2L);
      request.vertx().runOnContext(_ -> request.request().end().onSuccess(_ -> request.end()));
      assertThat(Patience.await(answer).statusCode()).isEqualTo(200);
      assertThat(sent).hasValue(BIG);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_turns_out_too_large_is_413_and_fails_the_reading(Version version) {
    RouteSet routes =
        r -> r.streaming().put("/big", c -> c.request().end().onFailure(failures::add));
    try (var server = TestServer.serving(routes);
        var client = client(version)) {
      assertThat(Patience.await(put(client, server)).statusCode()).isEqualTo(413);
      assertThat(Patience.poll(failures)).hasMessageContaining("Too Large");
    }
  }

  @Test
  void a_body_announced_too_large_is_413_before_its_handler_runs() {
    RouteSet routes = r -> r.streaming().put("/big", requests::add);
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send("PUT /big HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n");
      assertThat(client.statusLine()).startsWith("HTTP/1.1 413");
      assertThat(client.rest()).contains("connection: close");
      assertThat(requests).isEmpty();
    }
  }

  @Test
  void a_client_that_leaves_fails_the_reading() {
    RouteSet routes =
        r -> r.streaming().put("/big", c -> c.request().end().onFailure(failures::add));
    try (var server = TestServer.serving(routes)) {
      try (var client = RawConnection.to(server)) {
        client.send("PUT /big HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nhalf");
        Patience.until("it reads", () -> server.metric("roost_http_requests_in_flight") == 1);
      }
      assertThat(Patience.poll(failures)).hasMessageContaining("closed");
      Patience.until("it is over", () -> server.metric("roost_http_requests_in_flight") == 0);
    }
  }

  @Test
  void a_handler_off_the_loop_may_wait_for_the_body() {
    RouteSet routes = r -> r.blocking().streaming().post("/", c -> c.end(waitFor(c)));
    try (var server = TestServer.serving(routes)) {
      assertThat(server.post("/", "hoot").body()).isEqualTo("hoot");
    }
  }

  private static io.vertx.core.Future<Void> save(RoutingContext request, String file) {
    return request
        .vertx()
        .fileSystem()
        .open(file, new OpenOptions())
        .compose(opened -> request.request().pipeTo(opened));
  }

  private static String waitFor(RoutingContext request) {
    return Patience.await(request.request().body().toCompletionStage().toCompletableFuture())
        .toString();
  }

  private boolean hasStopped(TestServer server) {
    var before = sent.get();
    TestServer.await(server.vertx().timer(300));
    return before > 0 && sent.get() == before;
  }

  private CompletableFuture<HttpResponse<String>> put(HttpClient client, TestServer server) {
    var body = BodyPublishers.ofInputStream(() -> new Sent(sent));
    var request = HttpRequest.newBuilder(server.uri("/big")).PUT(body).build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  private static HttpClient client(Version version) {
    return HttpClient.newBuilder().sslContext(TrustAll.context()).version(version).build();
  }

  /// Zeros, counted as they are sent.
  private static final class Sent extends InputStream {

    private final AtomicLong sent;

    Sent(AtomicLong sent) {
      this.sent = sent;
    }

    @Override
    public int read() throws IOException {
      throw new IOException("one by one");
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      var now = (int) Math.min(length, BIG - sent.get());
      sent.addAndGet(now);
      return now == 0 ? -1 : now;
    }
  }
}
