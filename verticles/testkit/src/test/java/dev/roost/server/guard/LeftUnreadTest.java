package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.RawConnection.Ending;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that leave what they were sent unread: they are no slow readers, and no
/// `http.send-timeout` is counted for them.
class LeftUnreadTest {

  private static final Buffer BIG = Buffer.buffer(new byte[32 << 20]);

  private final LinkedBlockingQueue<RoutingContext> requests = new LinkedBlockingQueue<>();

  @ParameterizedTest
  @EnumSource(names = {"FIN", "BOTH"})
  void one_that_ends_its_side_is_cut_uncounted(Ending ending) {
    expectUncounted(client -> client.end(ending));
  }

  @Test
  void one_that_closes_is_not_counted() {
    expectUncounted(RawConnection::close);
  }

  @Test
  void one_that_resets_is_not_counted() {
    expectUncounted(RawConnection::reset);
  }

  @Test
  void one_that_stays_is_counted() {
    try (var server = serving();
        var client = RawConnection.to(server)) {
      client.send(get());
      Patience.until("it is cut", () -> cuts(server) == 1);
    }
  }

  private void expectUncounted(Consumer<RawConnection> leave) {
    expectUncounted(get(), "http1", leave);
    expectUncounted(get().repeat(3), "http1", leave);
    expectUncounted(RawSocket.handshake("/socket"), "websocket", leave);
  }

  private void expectUncounted(String asks, String protocol, Consumer<RawConnection> leave) {
    var open = "roost_connections_open{protocol=\"%s\"}".formatted(protocol);
    try (var server = serving();
        var client = RawConnection.to(server)) {
      client.send(asks);
      Patience.poll(requests);
      leave.accept(client);
      Patience.until("it is gone", () -> server.metric(open) == 0);
      assertThat(cuts(server)).isZero();
    }
  }

  private TestServer serving() {
    return TestServer.serving(
        routes ->
            routes
                .get("/big", this::answer)
                .wsAsync(
                    "/socket",
                    socket -> {
                      socket.send(BIG.slice(0, 4 << 20));
                      requests.add(socket.request());
                    }),
        LeftUnreadTest::impatient);
  }

  private void answer(RoutingContext request) {
    requests.add(request);
    request.end(BIG);
  }

  private static ServerSettings impatient(ServerSettings settings) {
    var http = settings.http();
    return settings.with(
        new HttpSettings(
            http.headerBytesMax(),
            http.bodyBytesMax(),
            http.keepAliveTimeout(),
            Duration.ofMillis(500)));
  }

  private static String get() {
    return "GET /big HTTP/1.1\r\nHost: roost\r\n\r\n";
  }

  private static double cuts(TestServer server) {
    return server.metric("roost_http_send_timeouts_total");
  }
}
