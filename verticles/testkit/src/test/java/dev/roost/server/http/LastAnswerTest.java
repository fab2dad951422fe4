package dev.roost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.RawConnection.Ending;
import dev.roost.testkit.TestServer;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Behind an answer that says that the connection closes, nothing is served (RFC 9112, 9.6); the
/// client gets that answer whole, whatever it has sent behind.
class LastAnswerTest {

  private static final String NEXT = "GET /next HTTP/1.1\r\nHost: roost\r\n\r\n";

  private final AtomicInteger served = new AtomicInteger();

  private final TestServer server =
      TestServer.serving(
          routes ->
              routes
                  .get("/next", this::next)
                  .get("/close", request -> closing(request).response().end("closing"))
                  .get("/big", request -> closing(request).response().end("x".repeat(10_000_000)))
                  .body(4)
                  .post("/small", request -> request.end("read"))
                  .post("/early", request -> closing(request).response().end("closing")));

  @AfterEach
  void stop() {
    server.close();
    assertThat(served).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 5_000})
  void requests_behind_a_handlers_close_are_not_served(int behind) {
    try (var client = RawConnection.to(server)) {
      client.send("GET /close HTTP/1.1\r\nHost: roost\r\n\r\n" + NEXT.repeat(behind));
      assertThat(client.answer().body()).isEqualTo("closing");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void one_that_comes_later_is_not_served_either() {
    try (var client = RawConnection.to(server)) {
      client.send("GET /close HTTP/1.1\r\nHost: roost\r\n\r\n");
      assertThat(client.answer().body()).isEqualTo("closing");
      client.send(NEXT);
      assertThat(client.rest()).isEmpty();
      Patience.until("it is gone", () -> open() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 5\r\n\r\nhoots", "Content-Length: 5\r\n\r\nho"})
  void requests_behind_a_body_that_was_refused_are_not_served(String body) {
    try (var client = RawConnection.to(server)) {
      client.send("POST /small HTTP/1.1\r\nHost: roost\r\n" + body);
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(413);
      if (answer.headers().containsKey("connection")) {
        client.send("ots".substring(0, 5 - body.substring(body.indexOf("\r\n\r\n") + 4).length()));
        client.send(NEXT);
        assertThat(client.rest()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_big_last_answer_comes_whole_to_a_client_that_has_ended_its_side(Ending ending) {
    try (var client = RawConnection.to(server)) {
      client.send("GET /none HTTP/1.1\r\nHost: roost\r\n\r\n");
      assertThat(client.answer().status()).isEqualTo(404); // and the JDK has read its tickets
      client.send("GET /big HTTP/1.1\r\nHost: roost\r\n\r\n" + NEXT);
      client.end(ending);
      assertThat(client.answer().body()).hasSize(10_000_000);
      assertThat(client.rest()).isEmpty();
      Patience.until("it is gone", () -> open() == 0);
    }
  }

  @Test
  void a_big_last_answer_comes_whole_to_a_client_that_sends_on() {
    try (var client = RawConnection.to(server)) {
      client.send("GET /big HTTP/1.1\r\nHost: roost\r\n\r\n" + NEXT.repeat(1_000));
      assertThat(client.answer().body()).hasSize(10_000_000);
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | Content-Length: 4 / Transfer-Encoding: chunked",
        "400 | Transfer-Encoding: chunked / Content-Length: 4",
        "400 | Content-Length: 4 / Content-Length: 5",
        "400 | Content-Length: 4, 5",
        "400 | Content-Length: -4",
        "400 | Content-Length: +4",
        "400 | Content-Length: 4 4",
        "400 | Content-Length: 0x4",
        "400 | Content-Length:",
        "400 | Content-Length: 99999999999999999999",
        "400 | Content-Length : 4",
        "400 | Transfer-Encoding: gzip",
        "400 | Transfer-Encoding: chunked, identity",
        "400 | Transfer-Encoding: xchunked",
        "431 | X-Long: LONG"
      })
  void a_request_whose_end_is_unclear_is_refused_and_the_connection_closed(
      int status, String headers) {
    try (var client = RawConnection.to(server)) {
      var lines = headers.replace(" / ", "\r\n").replace("LONG", "x".repeat(20_000));
      client.send("POST /next HTTP/1.1\r\nHost: roost\r\n%s\r\n\r\nhoot".formatted(lines) + NEXT);
      expectRefusal(client, status);
    }
  }

  @Test
  void a_target_that_is_too_long_is_refused_the_same_way() {
    try (var client = RawConnection.to(server)) {
      client.send("GET /%s HTTP/1.1\r\nHost: roost\r\n\r\n".formatted("x".repeat(20_000)) + NEXT);
      expectRefusal(client, 414);
    }
  }

  private static void expectRefusal(RawConnection client, int status) {
    var answer = client.answer();
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.headers()).containsEntry("connection", "close");
    assertThat(answer.body()).startsWith(status + " ").endsWith("\n").hasSizeBetween(8, 80);
    assertThat(client.rest()).isEmpty();
  }

  private void next(RoutingContext request) {
    served.incrementAndGet();
    request.end("next");
  }

  private double open() {
    return server.metric("roost_connections_open{protocol=\"http1\"}");
  }

  private static RoutingContext closing(RoutingContext request) {
    request.response().putHeader("connection", "close");
    return request;
  }
}
