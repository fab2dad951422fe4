package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.RawConnection.Ending;
import dev.roost.testkit.TestServer;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A client that ends its side after its last request, and still wants the answers.
class HalfCloseTest {

  private static final String LATER = "GET /later HTTP/1.1\r\nHost: roost\r\n\r\n";
  private static final String NOW = "GET /now HTTP/1.1\r\nHost: roost\r\n\r\n";

  private final LinkedBlockingQueue<Deferred> deferred = new LinkedBlockingQueue<>();

  private final RouteSet routes =
      mounted ->
          mounted
              .get("/later", request -> deferred.add(Deferred.of(request)))
              .get("/now", request -> request.end("now"))
              .get("/big", request -> request.end("x".repeat(10_000_000)))
              .post("/body", request -> request.end("read"));

  @ParameterizedTest
  @EnumSource
  void a_client_that_ended_its_side_gets_a_late_answer(Ending ending) {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send(LATER);
      var late = Patience.poll(deferred);
      client.end(ending);
      Patience.until("others are served", () -> server.get("/now").body().equals("now"));
      assertThat(late.respond("late")).isTrue();
      assertThat(client.answer().body()).isEqualTo("late");
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void every_pipelined_request_before_the_end_is_answered(Ending ending) {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send(NOW.repeat(100) + LATER + NOW.repeat(100));
      client.end(ending);
      IntStream.range(0, 100).forEach(_ -> assertThat(client.answer().body()).isEqualTo("now"));
      Patience.poll(deferred).respond("late");
      assertThat(client.answer().body()).isEqualTo("late");
      IntStream.range(0, 100).forEach(_ -> assertThat(client.answer().body()).isEqualTo("now"));
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_big_answer_is_sent_to_its_end(Ending ending) {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send("GET /big HTTP/1.1\r\nHost: roost\r\n\r\n");
      client.end(ending);
      assertThat(client.answer().body()).hasSize(10_000_000);
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_big_answer_that_comes_late_is_sent_to_its_end(Ending ending) {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send(LATER);
      var late = Patience.poll(deferred);
      client.end(ending);
      Patience.until("others are served", () -> server.get("/now").body().equals("now"));
      late.respond("x".repeat(10_000_000));
      assertThat(client.answer().body()).hasSize(10_000_000);
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_request_that_was_not_sent_to_its_end_closes_the_connection(Ending ending) {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send("POST /body HTTP/1.1\r\nHost: roost\r\nContent-Length: 10\r\n\r\nhalf");
      client.end(ending);
      assertThat(client.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_idle_connection_closes_at_once(Ending ending) {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send(NOW);
      assertThat(client.answer().body()).isEqualTo("now");
      client.end(ending);
      assertThat(client.rest()).isEmpty();
      Patience.until(
          "it is gone", () -> server.metric("roost_connections_open{protocol=\"http1\"}") == 0);
    }
  }

  @Test
  void two_bytes_in_a_record_of_their_own_are_no_goodbye() {
    try (var server = TestServer.serving(routes);
        var client = connected(server)) {
      client.send(LATER);
      var late = Patience.poll(deferred);
      client.send("GE");
      late.respond("late");
      assertThat(client.answer().body()).isEqualTo("late");
      client.send(NOW.substring(2));
      assertThat(client.answer().body()).isEqualTo("now");
    }
  }

  /// The JDK reads nothing more if it finds the server's session tickets after it has said goodbye;
  /// so they are read first.
  private static RawConnection connected(TestServer server) {
    var client = RawConnection.to(server);
    client.send(NOW);
    assertThat(client.answer().body()).isEqualTo("now");
    return client;
  }
}
