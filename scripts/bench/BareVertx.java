import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.HashSet;
import java.util.Set;

/// What Roost is measured against: the least one can write with Vert.x alone.
/// `BareVertx PORT CERT KEY INSTANCES SERVES`, the last one of: `hello`, answers; `echo`, sends
/// WebSocket messages back; `news`, an event stream of what is posted; `bodies`, answers, and sends
/// posted bodies back.
public final class BareVertx extends VerticleBase {
  private final HttpServerOptions options;
  private final String serves;
  private final Set<HttpServerResponse> streams = new HashSet<>();

  private BareVertx(HttpServerOptions options, String serves) {
    this.options = options;
    this.serves = serves;
  }

  @Override
  public Future<?> start() {
    return serving(vertx.createHttpServer(options)).listen();
  }

  private HttpServer serving(HttpServer server) {
    Buffer body = Buffer.buffer("Hello from Roost\n");
    return switch (serves) {
      case "hello" -> server.requestHandler(BareVertx::hello);
      case "echo" ->
          server
              .requestHandler(request -> request.response().end(body))
              .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage));
      case "news" -> {
        vertx.eventBus().<String>consumer("news", news -> tell(news.body()));
        yield server.requestHandler(this::news);
      }
      case "bodies" ->
          server.requestHandler(
              request -> {
                if (request.method() == HttpMethod.GET) {
                  request.response().end(body);
                } else {
                  request.body().onSuccess(request.response()::end);
                }
              });
      default -> throw new IllegalArgumentException(serves);
    };
  }

  /// The same bytes as Roost's `hello`.
  private static void hello(HttpServerRequest request) {
    request.response().putHeader("server", "Roost").end("Hello from Roost\n");
  }

  private void news(HttpServerRequest request) {
    var response = request.response();
    if (request.path().equals("/news/stream")) {
      streams.add(response);
      response.closeHandler(_ -> streams.remove(response));
      response.setChunked(true).putHeader("content-type", "text/event-stream").write(":\n\n");
    } else {
      request
          .body()
          .onSuccess(
              body -> {
                vertx.eventBus().publish("news", body.toString());
                response.end("Hello from Roost\n");
              });
    }
  }

  private void tell(String news) {
    Buffer event = Buffer.buffer("data: " + news + "\n\n");
    streams.forEach(stream -> stream.write(event));
  }

  public static void main(String[] args) {
    int instances = Integer.parseInt(args[3]);
    var options =
        new HttpServerOptions()
            .setPort(Integer.parseInt(args[0]))
            .setSsl(true)
            .setUseAlpn(true)
            .setSslEngineOptions(new OpenSSLEngineOptions())
            .setKeyCertOptions(new PemKeyCertOptions().setCertPath(args[1]).setKeyPath(args[2]));
    var vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(instances));
    vertx
        .deployVerticle(
            () -> new BareVertx(options, args[4]), new DeploymentOptions().setInstances(instances))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }
}
