package dev.roost.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.Platform;
import dev.roost.server.Roost;
import dev.roost.server.http.RouteSource;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.tls.SelfSignedCertificate;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A trace goes through the server, and its spans to a collector.
class TracingTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String CALLER = "b7ad6b7169203331";

  private static final String OURS = "dev.roost.server.tracing";

  private final LinkedBlockingQueue<Buffer> exported = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> downstream = new LinkedBlockingQueue<>();
  private final Vertx outside = Vertx.vertx();
  @TempDir private Path folder = Path.of("");
  private HttpServer collector;

  /// What it answers; 0: never.
  private volatile int collectorStatus = 200;

  private HttpClient client;
  private Platform platform;
  private Roost roost;

  @BeforeEach
  void start() {
    collector = outside.createHttpServer().requestHandler(this::collect).listen(0).await();
    var endpoint = URI.create("http://127.0.0.1:%d/v1/traces".formatted(collector.actualPort()));
    var options = new VertxOptions().setEventLoopPoolSize(2);
    var tracing = new TracingSettings(Optional.of(endpoint));
    platform = Platform.create(options, Transport.NIO, tracing);
    client = platform.vertx().createHttpClient();
    var settings = ServerSettings.loopback(SelfSignedCertificate.in(folder));
    var routes = RouteSource.shared(r -> r.get("/", this::askOthers));
    roost = TestServer.await(Roost.start(platform, routes, settings));
  }

  @AfterEach
  void stop() {
    TestServer.await(roost.close());
    TestServer.await(platform.close());
    outside.close().await();
  }

  @Test
  void a_trace_goes_on_in_what_the_handler_asks_of_others() throws Exception {
    ask("00-%s-%s-01".formatted(TRACE, CALLER));
    assertThat(Patience.poll(downstream))
        .startsWith("00-" + TRACE + "-")
        .doesNotContain(CALLER)
        .endsWith("-01");
  }

  @Test
  void a_request_without_a_trace_begins_one() throws Exception {
    ask("");
    assertThat(Patience.poll(downstream)).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]");
  }

  @Test
  void a_trace_context_that_is_none_is_not_taken_over() throws Exception {
    ask("00-%s-xyz-01".formatted(TRACE));
    assertThat(Patience.poll(downstream)).doesNotContain(TRACE);
  }

  @Test
  void the_spans_of_server_and_client_reach_the_collector_before_the_platform_is_closed()
      throws Exception {
    ask("00-%s-%s-01".formatted(TRACE, CALLER));
    var called = Patience.poll(downstream).substring(36, 52);
    TestServer.await(roost.close());
    TestServer.await(platform.close());
    assertThat(latin1(Patience.poll(exported)))
        .contains(latin1(hex(TRACE)), latin1(hex(CALLER)), latin1(hex(called)), "roost");
  }

  @Test
  void a_collector_that_never_answers_holds_up_no_stop() throws Exception {
    collectorStatus = 0;
    assertThat(toldOfTwoSpansNotTaken()).endsWith(" did not take 2 spans: the server stops");
  }

  @Test
  void a_collector_that_refuses_is_told_in_one_line() throws Exception {
    collectorStatus = 400;
    assertThat(toldOfTwoSpansNotTaken()).endsWith(" did not take 2 spans: it refused them");
  }

  @Test
  void spans_beyond_the_bound_are_dropped_and_counted_and_told_once_a_minute() {
    var metrics = new ServerMetrics();
    try (var log = Logged.everything();
        var full = new Collector(URI.create("http://user:secret@127.0.0.1:1/"), 1, metrics)) {
      assertThat(full.enter()).isTrue();
      assertThat(full.enter()).isFalse();
      assertThat(full.enter()).isFalse();
      assertThat(log.linesFrom(OURS))
          .containsOnlyOnce(
              "tracing.endpoint: http://127.0.0.1:1 did not take 1 spans: too many wait");
      assertThat(metrics.scrape()).contains("\nroost_tracing_spans_dropped_total 2.0\n");
    }
  }

  @Test
  void without_the_setting_there_is_no_tracer() {
    var plain = Platform.create(1);
    try {
      assertThat(((VertxInternal) plain.vertx()).tracer()).isNull();
    } finally {
      TestServer.await(plain.close());
    }
  }

  @Test
  void an_endpoint_that_is_no_web_address_is_refused() {
    assertThatThrownBy(() -> new TracingSettings(Optional.of(URI.create("localhost:4318"))))
        .hasMessage("tracing.endpoint: localhost:4318 is not an http or https address");
  }

  private void ask(String traceparent) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + roost.port() + "/"));
    if (!traceparent.isEmpty()) {
      request.header("traceparent", traceparent);
    }
    try (var http = java.net.http.HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      assertThat(http.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
  }

  /// Asks once, which makes a span for the server and one for its client, and stops.
  private String toldOfTwoSpansNotTaken() throws Exception {
    try (var log = Logged.everything()) {
      ask("");
      Patience.poll(downstream);
      TestServer.await(roost.close());
      var start = System.nanoTime();
      TestServer.await(platform.close());
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
      assertThat(platform.metrics().scrape()).contains("\nroost_tracing_spans_dropped_total 2.0\n");
      assertThat(log.linesFrom("io.opentelemetry.exporter")).isEmpty();
      var address = "http://127.0.0.1:%d ".formatted(collector.actualPort());
      var ours = log.linesFrom(OURS).stream().filter(line -> line.contains(address)).toList();
      assertThat(ours).hasSize(1);
      return ours.getFirst();
    }
  }

  private void askOthers(RoutingContext request) {
    client
        .request(HttpMethod.GET, collector.actualPort(), "127.0.0.1", "/others")
        .compose(others -> others.send())
        .onSuccess(_ -> request.end("asked"))
        .onFailure(request::fail);
  }

  private void collect(HttpServerRequest request) {
    if ("/others".equals(request.path())) {
      downstream.add(String.valueOf(request.getHeader("traceparent")));
      request.response().end();
    } else if (collectorStatus > 0) {
      request.response().setStatusCode(collectorStatus);
      request.body().onSuccess(exported::add).onComplete(_ -> request.response().end());
    }
  }

  private static Buffer hex(String digits) {
    return Buffer.buffer(HexFormat.of().parseHex(digits));
  }

  private static String latin1(Buffer bytes) {
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }
}
