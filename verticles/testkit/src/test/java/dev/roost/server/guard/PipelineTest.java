package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.PipelineSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Many requests on one HTTP/1.1 connection, sent without waiting for the answers.
class PipelineTest {

  private final AtomicInteger served = new AtomicInteger();
  private final LinkedBlockingQueue<Deferred> deferred = new LinkedBlockingQueue<>();

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/count/:number", this::count)
              .get("/later", request -> deferred.add(Deferred.of(request)))
              .post("/echo", request -> request.end(request.body().asString()));

  @ParameterizedTest(name = "batch {0}, yield-batch {1}")
  @CsvSource({"16, 16", "1, 1", "64, 4", "1024, 1024"})
  void pipelined_requests_are_answered_in_order(int batch, int yieldBatch) {
    try (var server = batches(batch, yieldBatch);
        var client = RawConnection.to(server)) {
      client.send(requests(1, 1_000));
      var answers = IntStream.rangeClosed(1, 1_000).mapToObj(_ -> client.answer().body());
      assertThat(answers).containsExactlyElementsOf(numbers(1, 1_000));
    }
  }

  @Test
  void another_connection_of_the_loop_has_its_turn_before_256_requests_are_done()
      throws InterruptedException {
    var started = new CountDownLatch(1);
    var probeSent = new CountDownLatch(1);
    RouteSet burst =
        mounted ->
            mounted.get("/1", request -> hold(request, started, probeSent)).group("", routes);
    try (var server = TestServer.serving(burst);
        var client = RawConnection.to(server);
        var probe = RawConnection.to(server)) {
      isReady(probe);
      client.send(get("/1") + requests(2, 256));
      started.await();
      probe.send(get("/count/probe"));
      probeSent.countDown();
      assertThat(probe.answer().body()).isEqualTo("probe after 16");
    }
  }

  /// TLS may cut one write into two records.
  @ParameterizedTest(name = "{0} requests, batch {1}: {2} writes")
  @CsvSource({"64, 16, 4", "64, 64, 1", "3, 16, 1"})
  void the_answers_of_a_turn_go_out_in_one_write(int requests, int batch, int writes) {
    try (var server = batches(batch, 1);
        var client = RawConnection.to(server)) {
      client.send(get("/count/0"));
      client.answer();
      var before = client.recordsReceived();
      client.send(requests(1, requests));
      IntStream.rangeClosed(1, requests).forEach(_ -> client.answer());
      assertThat(client.recordsReceived() - before).isBetween((long) writes, writes + 1L);
    }
  }

  @Test
  void what_follows_a_deferred_request_waits_for_its_answer() {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(get("/later") + requests(1, 300));
      var late = Patience.poll(deferred);
      assertThat(server.get("/count/x").body()).startsWith("x");
      assertThat(served).hasValue(1);
      late.respond("first");
      assertThat(client.answer().body()).isEqualTo("first");
      var answers = IntStream.rangeClosed(1, 300).mapToObj(_ -> client.answer().body());
      assertThat(answers).containsExactlyElementsOf(numbers(1, 300));
    }
  }

  @Test
  void a_client_that_reads_nothing_is_not_answered_any_further() {
    var big = Buffer.buffer(new byte[4 << 20]);
    RouteSet routes = mounted -> mounted.get("/", request -> answer(request, big));
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      client.send(get("/").repeat(64));
      Patience.until("the first is served", () -> served.get() > 0);
      assertThat(server.get("/").body()).hasSize(4 << 20);
      assertThat(served.get()).isLessThan(8); // one or two beyond what the kernel takes
      var answers = IntStream.range(0, 64).map(_ -> client.answer().body().length());
      assertThat(answers).containsOnly(4 << 20);
    }
  }

  private void answer(RoutingContext request, Buffer body) {
    served.incrementAndGet();
    request.end(body);
  }

  @Test
  void bodies_and_requests_may_come_in_any_portions() {
    try (var server = TestServer.serving(routes);
        var client = RawConnection.to(server)) {
      var text = (post("one") + get("/count/2") + post("three")).repeat(5);
      text.chars().forEach(letter -> client.send(Character.toString(letter)));
      for (var round = 0; round < 5; round++) {
        assertThat(client.answer().body()).isEqualTo("one");
        assertThat(client.answer().body()).isEqualTo("2");
        assertThat(client.answer().body()).isEqualTo("three");
      }
    }
  }

  @Test
  void a_client_that_leaves_with_requests_in_the_pipeline_ends_them() {
    try (var server = TestServer.serving(routes)) {
      var client = RawConnection.to(server);
      client.send(get("/later") + requests(1, 300));
      var gone = new CountDownLatch(1);
      Patience.poll(deferred).aborted(gone::countDown);
      client.close();
      Patience.until("it is told", () -> gone.getCount() == 0);
      Patience.until(
          "it is gone", () -> server.metric("roost_connections_open{protocol=\"http1\"}") == 0);
      assertThat(served).hasValue(0);
    }
  }

  /// Its handshake is done on the server's side too.
  private static void isReady(RawConnection client) {
    client.send(get("/count/ready"));
    assertThat(client.answer().body()).isEqualTo("ready");
  }

  private void count(RoutingContext request) {
    var number = Objects.requireNonNull(request.pathParam("number"));
    var before = served.getAndIncrement();
    request.end(number.equals("probe") ? "probe after " + before : number);
  }

  private static void hold(
      RoutingContext request, CountDownLatch started, CountDownLatch probeSent) {
    started.countDown();
    try {
      probeSent.await();
      request.end("held");
    } catch (InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private TestServer batches(int batch, int yieldBatch) {
    return TestServer.serving(
        routes, settings -> settings.with(new PipelineSettings(batch, yieldBatch, 256 << 10)));
  }

  private static String requests(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(number -> get("/count/" + number))
        .collect(Collectors.joining());
  }

  private static Iterable<String> numbers(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
  }

  private static String get(String path) {
    return "GET %s HTTP/1.1\r\nHost: roost\r\n\r\n".formatted(path);
  }

  private static String post(String body) {
    return "POST /echo HTTP/1.1\r\nHost: roost\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(body.length(), body);
  }
}
