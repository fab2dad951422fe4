package dev.roost.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What runs off the event loops: WebSockets whose handler has a virtual thread of its own keep all
/// that sockets promise, many may wait at once, and so may blocking routes.
public abstract class BlockingSocketContract extends SocketContract {

  @Override
  protected String echoPath() {
    return "/echo/blocking";
  }

  @Override
  protected String kind() {
    return "blocking";
  }

  @Test
  void a_blocking_route_may_wait_off_the_event_loop() {
    assertThat(server().get("/slow").body()).isEqualTo("Hello from a virtual thread\n");
  }

  @Test
  void handlers_that_wait_do_not_starve_each_other() {
    var sockets = Stream.generate(() -> TestSocket.open(server(), echoPath())).limit(50).toList();
    try {
      assertThat(server().get("/").statusCode()).isEqualTo(200);
      for (var socket : sockets.reversed()) {
        assertThat(socket.send("last first").receive()).isEqualTo("last first");
      }
    } finally {
      sockets.forEach(TestSocket::close);
    }
  }

  @Test
  void the_handler_ends_when_its_client_leaves() {
    var series = "roost_blocking_handlers_active";
    try (var socket = TestSocket.open(server(), echoPath())) {
      assertThat(socket.send("x").receive()).isEqualTo("x");
    }
    Patience.until("no handler is left", () -> server().metric(series) == 0);
  }
}
