package dev.roost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.Mode;
import dev.roost.testkit.Patience;
import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Half an answer is not passed off as a whole one: where a handler fails behind its first bytes,
/// the client is told by the protocol. The paths are one kind of answer each.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenAnswersTest {

  private static final RouteSet ROUTES =
      routes -> {
        mount(routes);
        routes.group("/own", BrokenAnswersTest::mountWithWords);
      };

  private TestServer reactor;
  private TestServer classic;

  @BeforeAll
  void serve() {
    reactor = TestServer.serving(ROUTES);
    classic = TestServer.serving(ROUTES, settings -> settings.with(Mode.CLASSIC));
  }

  @AfterAll
  void stop() {
    reactor.close();
    classic.close();
  }

  @ParameterizedTest
  @CsvSource({
    "REACTOR, /stream",
    "REACTOR, /chunks",
    "REACTOR, /length",
    "REACTOR, /blocking",
    "CLASSIC, /stream",
    "CLASSIC, /chunks",
    "CLASSIC, /length",
    "CLASSIC, /blocking",
    "REACTOR, /own/stream",
    "REACTOR, /own/chunks",
    "REACTOR, /own/blocking",
    "CLASSIC, /own/stream",
    "CLASSIC, /own/chunks",
    "CLASSIC, /own/blocking"
  })
  void on_http1_the_connection_closes_without_a_last_chunk(Mode mode, String path) {
    try (var connection = RawConnection.to(of(mode))) {
      connection.send("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path));
      assertThat(connection.rest())
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("half")
          .doesNotContain("\r\n0\r\n", "sorry");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "REACTOR, /stream",
    "REACTOR, /chunks",
    "REACTOR, /length",
    "REACTOR, /blocking",
    "CLASSIC, /stream",
    "CLASSIC, /chunks",
    "CLASSIC, /length",
    "CLASSIC, /blocking",
    "REACTOR, /own/stream",
    "REACTOR, /own/chunks",
    "REACTOR, /own/blocking",
    "CLASSIC, /own/stream",
    "CLASSIC, /own/chunks",
    "CLASSIC, /own/blocking"
  })
  void on_http2_the_stream_is_reset_with_internal_error(Mode mode, String path) {
    var server = of(mode);
    var request = HttpRequest.newBuilder(server.uri(path)).version(Version.HTTP_2).build();
    var answer = server.client().sendAsync(request, BodyHandlers.ofString());
    Patience.until("it is told", answer::isDone);
    assertThat(answer.exceptionNow()).hasMessageContaining("RST_STREAM: Internal error");
  }

  private TestServer of(Mode mode) {
    return switch (mode) {
      case REACTOR -> reactor;
      case CLASSIC -> classic;
    };
  }

  private static void mount(Routes routes) {
    routes
        .sse("/stream", stream -> failAfter(stream.send("half")))
        .get("/chunks", BrokenAnswersTest::chunks)
        .get("/length", BrokenAnswersTest::length)
        .blocking()
        .get("/blocking", BrokenAnswersTest::chunks);
  }

  /// An application that answers failures itself cannot know that the head is out already.
  private static void mountWithWords(Routes routes) {
    mount(routes.failure(request -> request.end("sorry")));
  }

  private static void chunks(RoutingContext request) {
    failAfter(request.response().setChunked(true).write("half"));
  }

  private static void length(RoutingContext request) {
    failAfter(request.response().putHeader("content-length", "8").write("half"));
  }

  private static void failAfter(Object written) {
    throw new IllegalStateException("broken after " + written.getClass().getSimpleName());
  }
}
