package dev.roost.testkit;

import dev.roost.server.Platform;
import dev.roost.server.Roost;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.RouteSource;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.TlsSettings;
import dev.roost.server.tls.SelfSignedCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// A real server over TLS on a free loopback port, gone with the test. Thread-safe.
///
/// ```java
/// try (var server = TestServer.serving(new PostRoutes(noPosts))) {
///   assertThat(server.get("/post/no-such-post").statusCode()).isEqualTo(404);
/// }
/// ```
public final class TestServer implements AutoCloseable {

  private final Optional<Platform> platform;
  private final Optional<Roost> roost;
  private final int port;
  private final int managementPort;
  private final HttpClient client = newClient();

  private TestServer(Platform platform, Roost roost) {
    this.platform = Optional.of(platform);
    this.roost = Optional.of(roost);
    this.port = roost.port();
    this.managementPort = roost.managementPort();
  }

  private TestServer(int port, int managementPort) {
    this.platform = Optional.empty();
    this.roost = Optional.empty();
    this.port = port;
    this.managementPort = managementPort;
  }

  /// One in other processes, on these loopback ports; closing this does not close it.
  public static TestServer at(int port, int managementPort) {
    return new TestServer(port, managementPort);
  }

  private static HttpClient newClient() {
    return HttpClient.newBuilder()
        .sslContext(TrustAll.context())
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Patience.LIMIT)
        .build();
  }

  /// Serves `routes` with the built-in defaults and one instance.
  public static TestServer serving(RouteSet routes) {
    return servingEach(RouteSource.shared(routes), UnaryOperator.identity());
  }

  /// Serves `routes` with the built-in defaults but for what `change` changes.
  public static TestServer serving(RouteSet routes, UnaryOperator<ServerSettings> change) {
    return servingEach(RouteSource.shared(routes), change);
  }

  /// Serves what `source` makes, with the built-in defaults but for what `change` changes.
  public static TestServer servingEach(RouteSource source, UnaryOperator<ServerSettings> change) {
    var settings = change.apply(ServerSettings.loopback(Certificate.TLS));
    var platform =
        Platform.create(
            new VertxOptions().setEventLoopPoolSize(settings.reactor().instances() + 1),
            transport());
    try {
      return new TestServer(platform, await(Roost.start(platform, source, settings)));
    } catch (RuntimeException failure) {
      await(platform.close());
      throw failure;
    }
  }

  /// The HTTPS port.
  public int port() {
    return port;
  }

  /// The event loops the server runs on.
  public Vertx vertx() {
    return platform().vertx();
  }

  /// What the server runs on, in this process.
  public Platform platform() {
    return platform.orElseThrow();
  }

  /// The server itself, in this process.
  public Roost roost() {
    return roost.orElseThrow();
  }

  /// The address of `path`, which starts with a slash.
  public URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port(), path));
  }

  /// GET over HTTP/1.1.
  public HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(uri(path)).GET());
  }

  /// POST over HTTP/1.1.
  public HttpResponse<String> post(String path, String body) {
    return send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  /// Any request; its address comes from [#uri].
  public HttpResponse<String> send(HttpRequest.Builder request) {
    return send(client, request);
  }

  /// Any request on a connection of its own, for an answer after which the server closes it:
  /// another request must not find it in the client's pool.
  public HttpResponse<String> sendAlone(HttpRequest.Builder request) {
    var alone = newClient();
    try {
      return send(alone, request);
    } finally {
      alone.shutdownNow();
    }
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) {
    try {
      return client.send(request.timeout(Patience.LIMIT).build(), BodyHandlers.ofString());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException failure) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(failure);
    }
  }

  /// A client that trusts the server, for what the methods above do not do.
  public HttpClient client() {
    return client;
  }

  /// One number from /metrics.
  ///
  /// @param series as it stands there, labels included: `roost_http_continuation_shed_total`
  /// @throws AssertionError if there is no such series
  public double metric(String series) {
    return management("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no series " + series));
  }

  /// GET on the management port.
  public HttpResponse<String> management(String path) {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(managementPort, path));
    return send(HttpRequest.newBuilder(uri).GET());
  }

  @Override
  public void close() {
    client.shutdownNow();
    roost.ifPresent(ours -> await(ours.close()));
    platform.ifPresent(ours -> await(ours.close()));
  }

  /// Waits for `future` and gives what it gives.
  public static <T> T await(Future<T> future) {
    try {
      return future.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (java.util.concurrent.TimeoutException failure) {
      throw new AssertionError("not done after " + Patience.LIMIT, failure);
    }
  }

  private static Transport transport() {
    return Transport.EPOLL != null && Transport.EPOLL.available() ? Transport.EPOLL : Transport.NIO;
  }

  /// One certificate for all tests of a JVM.
  private static final class Certificate {
    static final TlsSettings TLS = make();

    private static TlsSettings make() {
      try {
        var folder = Files.createTempDirectory("roost-testkit");
        folder.toFile().deleteOnExit();
        return SelfSignedCertificate.in(folder);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
