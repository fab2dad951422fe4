package dev.roost.server.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.settings.Mode;
import dev.roost.server.settings.ServerSettings;
import dev.roost.testkit.Logged;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Clients that leave in the middle of a body, in every way there is, in both modes.
class AbandonedBodyTest {

  private static final String FORM = "multipart/form-data; boundary=owl";

  private static final String HALF =
      """
      --owl\r
      Content-Disposition: form-data; name="song"; filename="song.txt"\r
      \r
      twit twoo""";

  /// What the log must not say of them.
  private static final String TRACES = "abandoned|[Cc]losed|reset|Pipe|StreamReset|Broken";

  private final LinkedBlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> called = new LinkedBlockingQueue<>();

  static Stream<Arguments> ways() {
    return Stream.of(Mode.values())
        .flatMap(mode -> Stream.of(HalfRequest.values()).map(way -> Arguments.of(mode, way)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void a_body_read_whole_is_let_go(Mode mode, HalfRequest way) {
    try (var server = TestServer.serving(routes(), in(mode));
        var log = Logged.everything()) {
      leaveHalf(server, way, new HalfRequest.Sent("/abandoned", "text/plain", "half"));
      assertThat(called).isEmpty();
      assertThat(log.warningsWith(TRACES)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void a_handler_that_streams_is_told(Mode mode, HalfRequest way) {
    try (var server = TestServer.serving(routes(), in(mode));
        var log = Logged.everything()) {
      leaveHalf(server, way, new HalfRequest.Sent("/abandoned/stream", "text/plain", "half"));
      assertThat(Patience.poll(told)).isNotNull();
      assertThat(log.warningsWith(TRACES)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void a_file_in_part_is_closed_and_deleted(Mode mode, HalfRequest way) {
    try (var server = TestServer.serving(routes(), in(mode));
        var log = Logged.everything()) {
      var folder = folderOf(server);
      leaveHalf(server, way, new HalfRequest.Sent("/abandoned", FORM, HALF));
      Patience.until("it is deleted", () -> filesIn(folder).isEmpty());
      Patience.until("it is closed", () -> openIn(folder).isEmpty());
      assertThat(called).isEmpty();
      assertThat(log.warningsWith(TRACES)).isEmpty();
    }
  }

  /// Sends half a request, leaves, and waits until the server has nothing of it left.
  private static void leaveHalf(TestServer server, HalfRequest way, HalfRequest.Sent sent) {
    try (var client = way.send(server, sent)) {
      Patience.until(
          "it is being read",
          () ->
              server.metric("roost_http_requests_in_flight") == 1
                  && (sent.path().endsWith("stream")
                      || server.metric("roost_http_bodies_held_bytes") > 0));
      client.leave();
      Patience.until("it is over", () -> server.metric("roost_http_requests_in_flight") == 0);
      Patience.until("nothing is held", () -> server.metric("roost_http_bodies_held_bytes") == 0);
    }
    var open = "roost_connections_open{protocol=\"%s\"}".formatted(way.protocol());
    Patience.until("its connection is gone", () -> server.metric(open) == 0);
  }

  private RouteSet routes() {
    return r -> {
      r.post("/abandoned", this::answer);
      streaming(r.streaming());
    };
  }

  private void streaming(Routes routes) {
    routes.post("/abandoned/stream", c -> c.request().body().onFailure(told::add));
  }

  private void answer(RoutingContext request) {
    called.add(request.fileUploads().isEmpty() ? "" : fileOf(request));
    request.end();
  }

  private static String fileOf(RoutingContext request) {
    return request.fileUploads().getFirst().uploadedFileName();
  }

  /// Where the server puts files, told by a form that is whole.
  private Path folderOf(TestServer server) {
    var form = BodyPublishers.ofString(HALF + "\r\n--owl--");
    server.sendAlone(
        HttpRequest.newBuilder(server.uri("/abandoned")).header("content-type", FORM).POST(form));
    var folder = Objects.requireNonNull(Path.of(Patience.poll(called)).getParent());
    Patience.until("the first file is gone", () -> filesIn(folder).isEmpty());
    return folder;
  }

  private static List<Path> filesIn(Path folder) {
    try (var files = Files.list(folder)) {
      return files.toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Descriptors of this process that lead into `folder`, where there is a list of them.
  private static List<Path> openIn(Path folder) {
    var all = Path.of("/proc/self/fd");
    return Files.exists(all)
        ? filesIn(all).stream().filter(each -> leadsInto(each, folder)).toList()
        : List.of();
  }

  private static boolean leadsInto(Path descriptor, Path folder) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException _) {
      return false; // closed meanwhile
    }
  }

  private static UnaryOperator<ServerSettings> in(Mode mode) {
    return settings -> settings.with(mode);
  }
}
