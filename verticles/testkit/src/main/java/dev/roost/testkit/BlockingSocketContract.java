package dev.roost.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// WebSockets whose handler has a virtual thread of its own: all that sockets promise, and that
/// many may wait at once.
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
