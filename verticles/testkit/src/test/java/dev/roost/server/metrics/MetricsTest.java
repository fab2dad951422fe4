package dev.roost.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.server.websocket.BlockingSocket;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestSocket;
import dev.roost.testkit.TestStream;
import dev.roost.testkit.TrustAll;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What /metrics says while something of each kind is open.
class MetricsTest {

  private static final RouteSet ROUTES =
      routes -> {
        var news = routes.topic("news");
        routes
            .get("/", request -> request.end("hello"))
            .get("/deferred", request -> Deferred.of(request).respond("later"))
            .sse("/stream", stream -> stream.follow(news))
            .longPoll("/poll", _ -> news)
            .wsAsync("/socket", socket -> socket.text(socket::send))
            .ws("/blocking", BlockingSocket::receive);
      };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "roost_http_continuation_shed_total 0.0",
        "roost_http_requests_total{method=\"GET\",status=\"200\"} 2.0",
        "roost_http_requests_total{method=\"GET\",status=\"404\"} 1.0",
        "roost_http_requests_total{method=\"GET\",status=\"101\"} 2.0",
        "roost_http_request_duration_seconds_bucket{le=\"+Inf\"} 5",
        "roost_http_request_duration_seconds_count 5",
        "roost_http_requests_in_flight 2.0",
        "roost_outbox_shed_total{kind=\"sse\"} 0.0",
        "roost_outbox_shed_total{kind=\"ws\"} 0.0",
        "roost_websockets_open{kind=\"async\"} 1.0",
        "roost_websockets_open{kind=\"blocking\"} 1.0",
        "roost_event_streams_open 1.0",
        "roost_event_streams_stalled_total 0.0",
        "roost_long_polls_waiting 1.0",
        "roost_blocking_handlers_active 1.0",
        "roost_connections_open{protocol=\"websocket\"} 2.0",
        "roost_topics_open 1.0",
        "roost_topics_history_bytes 0.0",
        "roost_topics_gaps_total 0.0",
        "roost_tls_handshakes_total{resumed=\"true\",version=\"TLSv1.2\"} 0.0"
      })
  void what_is_open_is_there(String line) {
    assertThat(scrapedUnderLoad()).contains("\n" + line + "\n");
  }

  @Test
  void prometheus_finds_nothing_wrong_with_our_names_and_texts() throws Exception {
    assumeTrue(present("promtool"), "promtool is missing (Debian: prometheus)");
    var promtool = new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true);
    var check = promtool.start();
    try (var input = check.getOutputStream()) {
      input.write(scrapedUnderLoad().getBytes(StandardCharsets.UTF_8));
    }
    var findings = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(findings).isEmpty();
    assertThat(check.waitFor()).isZero();
  }

  @Test
  void a_handshake_that_resumes_a_session_is_told_from_one_that_does_not() throws Exception {
    try (var server = TestServer.serving(ROUTES)) {
      var context = TrustAll.context();
      ask(context, server);
      ask(context, server);
      var series = "roost_tls_handshakes_total{resumed=\"%s\",version=\"TLSv1.3\"}";
      assertThat(server.metric(series.formatted(false))).isEqualTo(1);
      assertThat(server.metric(series.formatted(true))).isEqualTo(1);
    }
  }

  private static String scrapedUnderLoad() {
    try (var server = TestServer.serving(ROUTES);
        var stream = TestStream.open(server, "/stream");
        var async = TestSocket.open(server, "/socket");
        var blocking = TestSocket.open(server, "/blocking")) {
      var poll = HttpRequest.newBuilder(server.uri("/poll")).build();
      var answer = server.client().sendAsync(poll, BodyHandlers.discarding());
      List.of("/", "/deferred", "/no-such-page").forEach(server::get);
      Patience.until("the poll waits", () -> server.metric("roost_long_polls_waiting") == 1);
      async.send("echo").receive();
      assertThat(stream.position()).endsWith("-0");
      assertThat(answer).isNotDone();
      assertThat(blocking).isNotNull();
      return server.management("/metrics").body();
    }
  }

  /// One request on a connection of its own, read to its end so that the tickets have come.
  private static void ask(SSLContext context, TestServer server) throws IOException {
    var sockets = context.getSocketFactory();
    try (var socket = (SSLSocket) sockets.createSocket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .endsWith("hello");
    }
  }

  private static boolean present(String command) throws InterruptedException {
    try {
      return new ProcessBuilder(command, "--version").start().waitFor() == 0;
    } catch (IOException _) {
      return false;
    }
  }
}
