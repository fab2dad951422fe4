package dev.roost.server.health;

import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;

/// /metrics, /livez, /readyz and /startedz, in plain HTTP on a port and an event loop of their own:
/// they answer while the application's loops are busy. POST /drain and /reload, from this machine
/// alone.
public final class ManagementVerticle extends VerticleBase {

  private static final Logger LOG = System.getLogger(ManagementVerticle.class.getName());

  private static final List<HttpMethod> METHODS = List.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final List<String> ACTIONS = List.of("/drain", "/reload");

  private final String host;
  private final int port;
  private final Managed managed;
  private HttpServer server;

  /// @param port TCP port; 0 lets the kernel pick a free one
  @SuppressWarnings("NullAway.Init") // the server is made by start()
  public ManagementVerticle(String host, int port, Managed managed) {
    this.host = host;
    this.port = port;
    this.managed = managed;
  }

  @Override
  public Future<?> start() {
    server = vertx.createHttpServer().requestHandler(this::serve);
    return server.listen(port, host);
  }

  @Override
  public Future<?> stop() {
    return server.close();
  }

  /// The port it listens on, once started.
  public int port() {
    return server.actualPort();
  }

  private void serve(HttpServerRequest request) {
    var response = request.response().putHeader("cache-control", "no-store");
    var path = Objects.requireNonNullElse(request.path(), "");
    if (ACTIONS.contains(path)) {
      act(request, path);
      return;
    }
    if (!METHODS.contains(request.method())) {
      response.putHeader("allow", "GET, HEAD");
      answer(response, 405, "only GET and HEAD\n");
      return;
    }
    switch (path) {
      case "/metrics" -> scrape(response);
      case "/livez" -> answer(response, 200, "live\n");
      case "/readyz" -> answer(response, managed.ready(), "ready\n", "not ready\n");
      case "/startedz" -> answer(response, managed.started(), "started\n", "starting\n");
      default -> answer(response, 404, "here are /metrics, /livez, /readyz and /startedz\n");
    }
  }

  private void act(HttpServerRequest request, String path) {
    var response = request.response();
    if (!request.method().equals(HttpMethod.POST)) {
      response.putHeader("allow", "POST");
      answer(response, 405, "only POST\n");
    } else if (!isLocal(request)) {
      LOG.log(Level.WARNING, "POST {0} from {1} is refused", path, request.remoteAddress());
      answer(response, 403, "only from this machine\n");
    } else if (path.equals("/drain")) {
      managed.drain();
      answer(response, 202, "draining\n");
    } else {
      reload(response);
    }
  }

  /// A page in a browser of this machine sends its origin with a POST; a command does not.
  private static boolean isLocal(HttpServerRequest request) {
    var address =
        NetUtil.createInetAddressFromIpAddressString(request.remoteAddress().hostAddress());
    return address != null && address.isLoopbackAddress() && !request.headers().contains("origin");
  }

  private void reload(HttpServerResponse response) {
    managed
        .reload()
        .onSuccess(done -> answer(response, 200, done + "\n"))
        .onFailure(
            failure ->
                answer(
                    response,
                    failure instanceof ReloadRefusal ? 409 : 500,
                    failure.getMessage() + "\n"));
  }

  private void scrape(HttpServerResponse response) {
    managed
        .metrics()
        .onSuccess(
            text -> {
              response.putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
              response.end(text); // its failure means that the client is gone
            })
        .onFailure(_ -> answer(response, 500, "the metrics could not be read\n"));
  }

  private static void answer(HttpServerResponse response, boolean good, String yes, String no) {
    answer(response, good ? 200 : 503, good ? yes : no);
  }

  private static void answer(HttpServerResponse response, int status, String text) {
    response.setStatusCode(status).putHeader("content-type", "text/plain; charset=utf-8");
    response.end(text); // its failure means that the client is gone
  }
}
