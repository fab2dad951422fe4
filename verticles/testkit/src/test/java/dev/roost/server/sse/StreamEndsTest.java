package dev.roost.server.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.Mode;
import dev.roost.server.topic.FullTopic;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// That a stream has ended is told once, and whoever is told keeps nobody from it.
class StreamEndsTest {

  private final BlockingQueue<EventStream> opened = new LinkedBlockingQueue<>();
  private final AtomicBoolean told = new AtomicBoolean();

  private final RouteSet routes =
      mounted ->
          mounted
              .sse("/keep", stream -> opened.add(stream.closed(_ -> told.set(true))))
              .sse("/full", stream -> stream.follow(new FullTopic()))
              .sse("/broken", stream -> stream.closed(_ -> broken()).send("open"));

  @ParameterizedTest
  @EnumSource(Mode.class)
  void a_close_handler_that_throws_keeps_no_other_stream_from_its_end(Mode mode) {
    try (var server = serving(mode);
        var first = TestStream.open(server, "/broken");
        var second = TestStream.open(server, "/broken")) {
      assertThat(first.receive()).isEqualTo("data: open");
      assertThat(second.receive()).isEqualTo("data: open");
      var stopped = server.roost().close();
      assertThat(first.receive()).isEqualTo(": the server is going away");
      assertThat(first.receive()).isEqualTo(TestStream.END);
      assertThat(second.receive()).isEqualTo(": the server is going away");
      assertThat(second.receive()).isEqualTo(TestStream.END);
      TestServer.await(stopped);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void a_close_handler_that_comes_late_is_called_at_once(Mode mode) {
    var late = new AtomicBoolean();
    try (var server = serving(mode)) {
      var client = TestStream.open(server, "/keep");
      var stream = Patience.poll(opened);
      client.close();
      Patience.until("it has ended", told::get);
      stream.closed(_ -> late.set(true));
      Patience.until("the late one is told", late::get);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void a_refused_topic_breaks_the_stream_off(Mode mode) {
    try (var server = serving(mode);
        var connection = RawConnection.to(server)) {
      connection.send("GET /full HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(connection.rest()).startsWith("HTTP/1.1 200 ").doesNotContain("\r\n0\r\n");
      Patience.until("none is open", () -> server.metric("roost_event_streams_open") == 0);
    }
  }

  private TestServer serving(Mode mode) {
    return TestServer.serving(routes, settings -> settings.with(mode));
  }

  private static void broken() {
    throw new IllegalStateException("a close handler's bug");
  }
}
