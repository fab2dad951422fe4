package dev.roost.server.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The bound that holds where nobody set one: 8,192 requests of one loop wait, the ones beyond it
/// are shed, and the other loops notice nothing.
class DefaultContinuationsTest {

  private static final int SLOTS = 8_192;
  private static final int BEYOND = 100;

  /// Streams at once that the server allows on one connection.
  private static final int STREAMS = 100;

  private final Queue<RoutingContext> suspended = new ConcurrentLinkedQueue<>();

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/loop", request -> request.end(Thread.currentThread().getName()))
              .get("/suspend", suspended::add)
              .get("/hold", this::hold);

  /// The clients' loops are not those of the server.
  private final Vertx clients = Vertx.vertx();

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @Test
  void one_loop_held_sheds_exactly_what_is_beyond_8192_and_the_other_serves() throws Exception {
    try (var server = TestServer.serving(routes, DefaultContinuationsTest::twoLoops)) {
      var loops = List.copyOf(connections(server, client(clients)).entrySet());
      var other = loops.getLast();
      var answers = new Answers();
      pileUp(loops.getFirst().getValue(), answers);
      assertThat(body(other.getValue().getFirst(), "/loop")).isEqualTo(other.getKey());
      release.countDown();
      assertShed(server, answers);
      answerAll(server);
      Patience.until("the others are answered", () -> answers.succeeded.get() == SLOTS + 1);
    } finally {
      TestServer.await(clients.close());
    }
  }

  /// A connection that is parked may wake on another loop.
  private static ServerSettings twoLoops(ServerSettings settings) {
    return settings.with(ReactorSettings.of(2)).with(ParkSettings.off());
  }

  /// While its requests pile up, the loop does nothing.
  private void pileUp(List<HttpClientConnection> full, Answers answers) throws Exception {
    get(full.getFirst(), "/hold").onComplete(answers::ended);
    held.await();
    suspendAll(full, answers);
  }

  private static void assertShed(TestServer server, Answers answers) {
    Patience.until("all beyond are shed", () -> answers.failed.get() == BEYOND);
    assertThat(server.metric("roost_http_continuation_shed_total")).isEqualTo(BEYOND);
  }

  /// What became of the requests.
  private static final class Answers {
    private final AtomicInteger succeeded = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    void ended(AsyncResult<HttpClientResponse> answer) {
      (answer.succeeded() ? succeeded : failed).incrementAndGet();
    }
  }

  private static HttpClientAgent client(Vertx clients) {
    return clients.createHttpClient(
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setSsl(true)
            .setUseAlpn(true)
            .setTrustAll(true)
            .setVerifyHost(false));
  }

  /// Enough connections to each loop, by its thread's name.
  private static Map<String, List<HttpClientConnection>> connections(
      TestServer server, HttpClientAgent client) {
    var loops = new ConcurrentHashMap<String, List<HttpClientConnection>>();
    var wanted = (SLOTS + BEYOND) / STREAMS + 2; // one holds the loop, the last is not full
    while (loops.size() < 2 || loops.values().stream().anyMatch(some -> some.size() < wanted)) {
      var to = new HttpConnectOptions().setHost("127.0.0.1").setPort(server.port());
      var connection = TestServer.await(client.connect(to));
      loops.computeIfAbsent(body(connection, "/loop"), _ -> new ArrayList<>()).add(connection);
    }
    return loops;
  }

  private static void suspendAll(List<HttpClientConnection> connections, Answers answers) {
    for (var i = 0; i < SLOTS + BEYOND; i++) {
      get(connections.get(1 + i / STREAMS), "/suspend").onComplete(answers::ended);
    }
  }

  private static Future<HttpClientResponse> get(HttpClientConnection connection, String path) {
    var options = new RequestOptions().setMethod(HttpMethod.GET).setURI(path);
    return connection.request(options).compose(request -> request.send());
  }

  private static String body(HttpClientConnection connection, String path) {
    return TestServer.await(get(connection, path).compose(HttpClientResponse::body)).toString();
  }

  private void hold(RoutingContext request) {
    held.countDown();
    try {
      release.await();
      request.end("released");
    } catch (InterruptedException failure) {
      request.fail(failure);
    }
  }

  private void answerAll(TestServer server) {
    for (var request : suspended) {
      server.vertx().runOnContext(_ -> request.end("later"));
    }
  }
}
