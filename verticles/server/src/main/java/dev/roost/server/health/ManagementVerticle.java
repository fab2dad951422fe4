package dev.roost.server.health;

import dev.roost.server.metrics.ServerMetrics;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Objects;

/// /metrics, /livez, /readyz and /startedz, in plain HTTP on a port and an event loop of their own:
/// they answer while the application's loops are busy.
public final class ManagementVerticle extends VerticleBase {

  private static final List<HttpMethod> METHODS = List.of(HttpMethod.GET, HttpMethod.HEAD);

  private final String host;
  private final int port;
  private final Health health;
  private final ServerMetrics metrics;
  private HttpServer server;

  /// @param port TCP port; 0 lets the kernel pick a free one
  @SuppressWarnings("NullAway.Init") // the server is made by start()
  public ManagementVerticle(String host, int port, Health health, ServerMetrics metrics) {
    this.host = host;
    this.port = port;
    this.health = health;
    this.metrics = metrics;
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
    if (!METHODS.contains(request.method())) {
      response.putHeader("allow", "GET, HEAD");
      answer(response, 405, "only GET and HEAD\n");
      return;
    }
    switch (Objects.requireNonNullElse(request.path(), "")) {
      case "/metrics" -> scrape(response);
      case "/livez" -> answer(response, 200, "live\n");
      case "/readyz" -> answer(response, health.ready(), "ready\n", "not ready\n");
      case "/startedz" -> answer(response, health.started(), "started\n", "starting\n");
      default -> answer(response, 404, "here are /metrics, /livez, /readyz and /startedz\n");
    }
  }

  /// Thousands of lines are made off the loop, so that a probe is never behind them.
  private void scrape(HttpServerResponse response) {
    vertx
        .executeBlocking(metrics::scrape, false)
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
