package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Request bodies that are too many, too large or broken.
class BodiesTest {

  private static final RouteSet ECHO =
      routes -> routes.post("/echo", request -> request.end(request.body().buffer()));

  @Test
  void unfinished_uploads_beyond_the_share_of_the_heap_are_refused() {
    var uploads = (int) (Runtime.getRuntime().maxMemory() / 4 / (10 << 20));
    try (var server = TestServer.serving(ECHO)) {
      var held = Stream.generate(() -> unfinished(server)).limit(uploads).toList();
      try (var refused = unfinished(server)) {
        assertThat(refused.statusLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
      } finally {
        held.forEach(RawConnection::close);
      }
      assertThat(server.metric("roost_http_bodies_refused_total")).isEqualTo(1);
    }
  }

  @Test
  void a_body_announced_too_large_is_refused_and_its_connection_closed() {
    try (var server = TestServer.serving(ECHO);
        var client = RawConnection.to(server)) {
      client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n");
      assertThat(client.statusLine()).isEqualTo("HTTP/1.1 413 Request Entity Too Large");
      assertThat(client.rest()).contains("connection: close");
    }
  }

  @Test
  void a_broken_chunk_is_400() {
    try (var server = TestServer.serving(ECHO);
        var client = RawConnection.to(server)) {
      client.send(
          "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n");
      assertThat(client.statusLine()).isEqualTo("HTTP/1.1 400 Bad Request");
    }
  }

  private static RawConnection unfinished(TestServer server) {
    var client = RawConnection.to(server);
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\n\r\nhalf");
    return client;
  }
}
