package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.websocket.BlockingSocket;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import dev.roost.testkit.TestStream;
import dev.roost.testkit.TrustAll;
import io.netty.channel.ChannelOption;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever takes nothing for `http.send-timeout` is cut, costs a bounded amount until then, and
/// slows nobody.
class SendTimeoutTest {

  private static final int BIG = 24 << 20;
  private static final ChannelOption<Integer> USER_TIMEOUT =
      ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_USER_TIMEOUT");

  private static final String CUTS = "roost_http_send_timeouts_total";

  /// What one connection may hold unsent while its client reads nothing: Vert.x's write queue of 64
  /// KiB, a chunk of a file and the records around them.
  private static final long UNSENT_MAX = 256 << 10;

  private final LinkedBlockingQueue<RoutingContext> requests = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

  @Test
  void a_plain_answer_that_is_not_taken_is_cut_and_a_neighbour_is_answered() {
    RouteSet routes = r -> neighbour(r).get("/", c -> c.end(Buffer.buffer(new byte[BIG])));
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient);
        var stalled = StalledReader.of(server, "/")) {
      untilCut(server);
      assertThat(stalled.readAll()).isLessThan(BIG);
    }
  }

  @Test
  void an_answer_written_as_the_client_takes_it_holds_little_and_is_cut() {
    RouteSet routes = r -> neighbour(r).get("/", this::endless);
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient);
        var _ = StalledReader.of(server, "/")) {
      var stalled = Patience.poll(requests);
      assertThat(mostUnsent(server, stalled)).isBetween(1L, UNSENT_MAX);
      Patience.until("the handler is told", () -> stalled.response().closed());
    }
  }

  @Test
  void a_file_that_is_not_taken_holds_little_and_is_cut(@TempDir Path folder) throws IOException {
    Files.write(folder.resolve("big.bin"), new byte[BIG]);
    RouteSet routes =
        r ->
            neighbour(r)
                .filter(
                    c -> {
                      requests.add(c);
                      c.next();
                    })
                .files("/files/*", folder);
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient);
        var _ = StalledReader.of(server, "/files/big.bin")) {
      assertThat(mostUnsent(server, Patience.poll(requests))).isBetween(1L, UNSENT_MAX);
    }
  }

  @Test
  void a_stream_that_is_not_taken_is_cut_before_its_outbox_is_full() {
    RouteSet routes = r -> neighbour(r).sse("/", s -> every(s.request(), () -> s.send(text())));
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient);
        var _ = StalledReader.of(server, "/")) {
      untilCut(server);
      Patience.until("it is gone", () -> server.metric("roost_event_streams_open") == 0);
      assertThat(server.metric("roost_outbox_shed_total{kind=\"sse\"}")).isZero();
    }
  }

  @Test
  void a_socket_that_is_not_taken_is_cut_before_its_outbox_is_full() {
    RouteSet routes = r -> neighbour(r).wsAsync("/", s -> every(s.request(), () -> s.send(text())));
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient);
        var _ = StalledReader.upgraded(server, "/")) {
      untilCut(server);
      Patience.until(
          "it is gone", () -> server.metric("roost_websockets_open{kind=\"async\"}") == 0);
      assertThat(server.metric("roost_outbox_shed_total{kind=\"ws\"}")).isZero();
    }
  }

  @Test
  void a_blocked_sender_is_released_when_its_socket_is_cut() {
    try (var server =
            TestServer.serving(
                r -> neighbour(r).ws("/", this::sendForEver), SendTimeoutTest::impatient);
        var _ = StalledReader.upgraded(server, "/")) {
      untilCut(server);
      assertThat(Patience.poll(failures)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_reader_that_is_slow_but_reads_is_not_cut() throws IOException {
    var timeout = Duration.ofMillis(1_500);
    try (var server = TestServer.serving(r -> r.get("/", this::endless), s -> within(s, timeout));
        var slow = StalledReader.of(server, "/")) {
      var end = System.nanoTime() + timeout.multipliedBy(4).toNanos();
      while (System.nanoTime() < end) {
        slow.read(16 << 10);
        pause(server.vertx(), 50);
      }
      assertThat(server.metric(CUTS)).isZero();
    }
  }

  @Test
  void a_whole_answer_taken_in_slow_steps_comes_to_its_end() throws IOException {
    RouteSet routes = r -> r.get("/", c -> c.end(Buffer.buffer(new byte[BIG])));
    try (var server = TestServer.serving(routes, SendTimeoutTest::bothTwoSeconds);
        var slow = StalledReader.of(server, "/")) {
      for (var i = 0; i < 20; i++) {
        slow.read(100 << 10);
        pause(server.vertx(), 250);
      }
      assertThat(slow.readAll()).isGreaterThanOrEqualTo(BIG - 20 * (100 << 10));
      assertThat(server.metric(CUTS)).isZero();
    }
  }

  @Test
  void while_it_is_judged_here_the_kernel_does_not_give_a_client_up() throws IOException {
    RouteSet routes = r -> r.get("/", this::big);
    try (var server = TestServer.serving(routes, s -> within(s, Duration.ofSeconds(4)));
        var slow = StalledReader.of(server, "/")) {
      var request = Patience.poll(requests).request();
      var kernel = ((ConnectionBase) request.connection()).channel().config();
      assumeTrue(kernel.getOption(USER_TIMEOUT) != null, "only Linux has it");
      Patience.until("it is off", () -> kernel.getOption(USER_TIMEOUT) == 0);
      slow.read(BIG);
      Patience.until("it is on again", () -> kernel.getOption(USER_TIMEOUT) > 0);
    }
  }

  @Test
  void a_stream_and_a_socket_with_nothing_to_take_are_not_cut() {
    RouteSet routes = r -> r.sse("/sse", s -> s.send("one")).wsAsync("/ws", s -> s.send("one"));
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient);
        var stream = TestStream.open(server, "/sse");
        var _ = TestSocket.open(server, "/ws")) {
      assertThat(stream.receive()).isEqualTo("data: one");
      pause(server.vertx(), 1_500);
      assertThat(server.metric("roost_event_streams_open")).isEqualTo(1);
      assertThat(server.metric("roost_websockets_open{kind=\"async\"}")).isEqualTo(1);
      assertThat(server.metric(CUTS)).isZero();
    }
  }

  @Test
  void on_http2_the_stalled_stream_alone_is_reset() {
    RouteSet routes = r -> neighbour(r).get("/", c -> c.end(Buffer.buffer(new byte[BIG])));
    try (var server = TestServer.serving(routes, s -> within(s, Duration.ofSeconds(2)));
        var client = http2()) {
      var stalled = new Stalled();
      var _ = client.sendAsync(to(server, "/"), _ -> stalled.body());
      Patience.await(stalled.begun);
      Patience.until("it is reset", () -> isCutBeside(client, server));
      assertThat(server.metric("roost_connections_open{protocol=\"http2\"}")).isEqualTo(1);
      stalled.take();
      assertThatThrownBy(() -> Patience.await(stalled.ended)).hasStackTraceContaining("RST_STREAM");
    }
  }

  @Test
  void on_http2_a_client_that_never_gives_a_window_is_cut_and_an_event_stream_with_it() {
    RouteSet routes = r -> neighbour(r).sse("/", s -> every(s.request(), () -> s.send("news")));
    try (var server = TestServer.serving(routes, SendTimeoutTest::impatient)) {
      var client = server.vertx().createHttpClient(withoutWindow());
      var at = new RequestOptions().setAbsoluteURI(server.uri("/").toString());
      var events = client.request(at).compose(HttpClientRequest::send).map(r -> watched(r));
      assertThat(TestServer.await(events).version()).isEqualTo(HttpVersion.HTTP_2);
      untilCut(server);
      assertThat(Patience.poll(failures)).isInstanceOf(StreamResetException.class);
      Patience.until("it is gone", () -> server.metric("roost_event_streams_open") == 0);
      TestServer.await(client.close());
    }
  }

  private HttpClientResponse watched(HttpClientResponse response) {
    return response.exceptionHandler(failures::add);
  }

  private static HttpClientOptions withoutWindow() {
    return new HttpClientOptions()
        .setSsl(true)
        .setTrustAll(true)
        .setVerifyHost(false)
        .setUseAlpn(true)
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setInitialSettings(new Http2Settings().setInitialWindowSize(0));
  }

  private static ServerSettings impatient(ServerSettings settings) {
    return within(settings, Duration.ofMillis(500));
  }

  private static ServerSettings within(ServerSettings settings, Duration sendTimeout) {
    var http = settings.http();
    return settings.with(
        new HttpSettings(
            http.headerBytesMax(), http.bodyBytesMax(), http.keepAliveTimeout(), sendTimeout));
  }

  /// Two seconds for a client that takes nothing, and for a connection on which nothing moves.
  private static ServerSettings bothTwoSeconds(ServerSettings settings) {
    var http = settings.http();
    var two = Duration.ofSeconds(2);
    return settings.with(new HttpSettings(http.headerBytesMax(), http.bodyBytesMax(), two, two));
  }

  private static Routes neighbour(Routes routes) {
    return routes.get("/neighbour", c -> c.end("here"));
  }

  /// Asks the same loop all the while.
  private static void untilCut(TestServer server) {
    Patience.until(
        "it is cut",
        () -> {
          assertThat(server.get("/neighbour").body()).isEqualTo("here");
          return server.metric(CUTS) == 1;
        });
  }

  /// The most bytes that waited for the client of `request` until it was cut.
  private static long mostUnsent(TestServer server, RoutingContext request) {
    var channel = ((ConnectionBase) request.request().connection()).channel();
    var most = new long[1];
    Patience.until(
        "it is cut",
        () -> {
          assertThat(server.get("/neighbour").body()).isEqualTo("here");
          var queue = channel.unsafe().outboundBuffer();
          most[0] = Math.max(most[0], queue == null ? 0 : queue.totalPendingWriteBytes());
          return server.metric(CUTS) == 1;
        });
    return most[0];
  }

  private void big(RoutingContext request) {
    requests.add(request);
    var _ = request.end(Buffer.buffer(new byte[BIG]));
  }

  private void endless(RoutingContext request) {
    requests.add(request);
    var response = request.response().setChunked(true);
    response.drainHandler(_ -> fill(request));
    fill(request);
  }

  /// One piece per turn: within a turn, Vert.x does not learn over TLS that its queue is full.
  private static void fill(RoutingContext request) {
    var response = request.response();
    if (!response.writeQueueFull() && !response.write(Buffer.buffer(new byte[8 << 10])).failed()) {
      request.vertx().runOnContext(_ -> fill(request));
    }
  }

  private void sendForEver(BlockingSocket socket) throws InterruptedException {
    try {
      while (true) {
        socket.send(text());
      }
    } catch (IOException failure) {
      failures.add(failure);
    }
  }

  private static String text() {
    return "x".repeat(64 << 10);
  }

  private static void every(RoutingContext request, Runnable send) {
    request.vertx().setPeriodic(20, _ -> send.run());
  }

  private static void pause(Vertx vertx, long millis) {
    TestServer.await(vertx.timer(millis));
  }

  /// Asks on the same connection all the while.
  private static boolean isCutBeside(HttpClient client, TestServer server) {
    assertThat(answer(client, server)).isEqualTo("here");
    return server.metric(CUTS) == 1;
  }

  private static HttpClient http2() {
    return HttpClient.newBuilder()
        .sslContext(TrustAll.context())
        .version(HttpClient.Version.HTTP_2)
        .build();
  }

  private static HttpRequest to(TestServer server, String path) {
    return HttpRequest.newBuilder(server.uri(path)).build();
  }

  private static String answer(HttpClient client, TestServer server) {
    var answer = client.sendAsync(to(server, "/neighbour"), BodyHandlers.ofString());
    return Patience.await(answer).body();
  }

  /// Takes nothing of an answer's body until it is told to.
  private static final class Stalled implements Flow.Subscriber<List<ByteBuffer>> {

    private final CompletableFuture<Flow.Subscription> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    HttpResponse.BodySubscriber<Void> body() {
      return HttpResponse.BodySubscribers.fromSubscriber(this, _ -> null);
    }

    void take() {
      Patience.await(begun).request(Long.MAX_VALUE);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      begun.complete(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {}

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      ended.complete(null);
    }
  }
}
