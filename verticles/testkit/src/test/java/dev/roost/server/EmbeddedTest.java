package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ListenSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.ShutdownSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.tls.SelfSignedCertificate;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server inside another program leaves no thread behind. Threads belong to the group of the one
/// that makes them, so those of a server are in the group it was started in.
class EmbeddedTest {

  private static final RouteSet ROUTES =
      routes -> {
        routes.get("/", request -> request.end("hello"));
        routes.blocking().get("/blocking", request -> request.end("blocking"));
      };

  @TempDir private Path folder = Path.of("");
  private final ThreadGroup group = new ThreadGroup("embedded");

  @Test
  void it_serves_and_its_close_leaves_no_thread() throws Exception {
    var settings = ServerSettings.loopback(SelfSignedCertificate.in(folder));
    var roost = started(settings);
    try (var client = HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      assertThat(get(client, roost, "/")).isEqualTo("hello");
      assertThat(get(client, roost, "/blocking")).isEqualTo("blocking");
    }
    TestServer.await(roost.close());
    assertNothingLeft();
  }

  @Test
  void closing_it_twice_is_harmless_also_with_a_pause_before() throws Exception {
    var pause = new ShutdownSettings(Duration.ofMillis(100), Duration.ofSeconds(20));
    var settings = ServerSettings.loopback(SelfSignedCertificate.in(folder)).with(pause);
    var roost = started(settings);
    TestServer.await(roost.close());
    TestServer.await(roost.close());
    assertNothingLeft();
  }

  @Test
  void a_start_that_fails_leaves_no_thread_either() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var listen = new ListenSettings("127.0.0.1", taken.getLocalPort(), "127.0.0.1", 0);
      var settings = ServerSettings.loopback(SelfSignedCertificate.in(folder)).with(listen);
      assertThatThrownBy(() -> started(settings)).hasCauseInstanceOf(StartRefusal.class);
    }
    assertNothingLeft();
  }

  private static String get(HttpClient client, Roost roost, String path) throws Exception {
    var uri = URI.create("https://127.0.0.1:%d%s".formatted(roost.port(), path));
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private Roost started(ServerSettings settings) {
    var roost = new CompletableFuture<Roost>();
    new Thread(
            group,
            () ->
                Roost.start(ROUTES, settings)
                    .onSuccess(roost::complete)
                    .onFailure(roost::completeExceptionally))
        .start();
    var started = Patience.await(roost);
    assertThat(group.activeCount()).isPositive();
    return started;
  }

  private void assertNothingLeft() {
    var left = new Thread[group.activeCount()];
    group.enumerate(left);
    assertThat(left).isEmpty();
  }
}
