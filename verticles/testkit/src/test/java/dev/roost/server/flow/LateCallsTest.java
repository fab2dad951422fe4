package dev.roost.server.flow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.Mode;
import dev.roost.server.topic.FullTopic;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import dev.roost.server.websocket.AsyncSocket;
import dev.roost.server.websocket.BlockingSocket;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawSocket;
import dev.roost.testkit.TestServer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What an application does to a socket at the wrong time, or by mistake, harms only that socket.
class LateCallsTest {

  private final BlockingQueue<AsyncSocket> opened = new LinkedBlockingQueue<>();
  private final BlockingQueue<Runnable> filtered = new LinkedBlockingQueue<>();
  private final AtomicBoolean gone = new AtomicBoolean();
  private final AtomicInteger followed = new AtomicInteger();

  private final RouteSet routes =
      mounted ->
          mounted
              .wsAsync("/keep", socket -> opened.add(socket.closed(_ -> gone.set(true))))
              .wsAsync("/error", socket -> socket.text(LateCallsTest::overflow))
              .wsAsync("/ping", socket -> socket.pinged(_ -> overflow("ping")))
              .ws("/blocking-error", socket -> overflow(String.valueOf(socket.receive())))
              .group(
                  "/slow",
                  slow ->
                      slow.filter(
                              request -> {
                                var here = ContextInternal.current();
                                filtered.add(() -> run(here, request::next));
                              })
                          .wsAsync("/async", _ -> {})
                          .ws("/blocking", BlockingSocket::receive));

  @ParameterizedTest
  @EnumSource(Mode.class)
  void who_follows_a_topic_when_the_client_has_left_follows_nothing(Mode mode) {
    try (var server = serving(mode)) {
      RawSocket.open(server, "/keep").close();
      var socket = Patience.poll(opened);
      Patience.until("it is gone", gone::get);
      socket.follow(new CountedTopic("counted", followed));
      var later = new AtomicBoolean();
      socket.request().vertx().runOnContext(_ -> later.set(true));
      Patience.until("the loop has turned", later::get);
      assertThat(followed).hasValue(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "REACTOR, /error, 81", "REACTOR, /ping, 89", "REACTOR, /blocking-error, 81",
    "CLASSIC, /error, 81", "CLASSIC, /ping, 89", "CLASSIC, /blocking-error, 81"
  })
  void an_error_of_a_handler_closes_its_socket_with_1011(Mode mode, String path, String frame) {
    try (var server = serving(mode);
        var socket = RawSocket.open(server, path)) {
      socket.send(RawSocket.frame(Integer.parseInt(frame, 16), new byte[] {'x'}));
      var next = socket.next();
      assertThat(next.startsWith("pong") ? socket.next() : next)
          .isEqualTo("close:1011 internal error");
      socket.send(RawSocket.frame(0x88, new byte[] {1011 >> 8, (byte) 1011}));
      assertThat(socket.next()).isEqualTo("end");
      Patience.until("no handler runs", () -> server.metric("roost_blocking_handlers_active") == 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "REACTOR, /slow/async", "REACTOR, /slow/blocking",
    "CLASSIC, /slow/async", "CLASSIC, /slow/blocking"
  })
  void a_socket_that_would_open_while_the_server_stops_is_refused(Mode mode, String path) {
    try (var server = serving(mode);
        var socket = RawSocket.connect(server)) {
      socket.send(RawSocket.handshake(path).getBytes(US_ASCII));
      var slow = Patience.poll(filtered);
      var stopped = server.roost().close();
      Patience.until("it stops", () -> server.management("/readyz").statusCode() == 503);
      slow.run();
      assertThat(socket.nextHead())
          .startsWith("HTTP/1.1 503 ")
          .contains("\r\nconnection: close\r\n", "\r\nretry-after: 1\r\n");
      TestServer.await(stopped);
    }
  }

  @Test
  void a_refused_topic_closes_with_1013() {
    try (var server = serving(Mode.REACTOR);
        var socket = RawSocket.open(server, "/keep")) {
      var open = Patience.poll(opened);
      open.follow(new FullTopic());
      assertThat(socket.next()).isEqualTo("close:1013 too many topics");
    }
  }

  private TestServer serving(Mode mode) {
    return TestServer.serving(routes, settings -> settings.with(mode));
  }

  private static void run(Context here, Runnable task) {
    here.runOnContext(_ -> task.run());
  }

  private static void overflow(String text) {
    throw new StackOverflowError("by " + text);
  }

  /// Counts who follows.
  private record CountedTopic(String name, AtomicInteger followed) implements Topic {
    @Override
    public Future<String> publish(String message) {
      return Future.succeededFuture("");
    }

    @Override
    public Subscription follow(Optional<String> lastEventId, Subscriber subscriber) {
      followed.incrementAndGet();
      return Subscription.none();
    }

    @Override
    public String lastId() {
      return "";
    }
  }
}
