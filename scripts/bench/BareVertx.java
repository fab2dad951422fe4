import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;

/// What Roost is measured against: the least one can write with Vert.x alone. BareVertx PORT CERT KEY
/// INSTANCES.
public final class BareVertx extends VerticleBase {
  private final HttpServerOptions options;

  private BareVertx(HttpServerOptions options) {
    this.options = options;
  }

  @Override
  public Future<?> start() {
    Buffer body = Buffer.buffer("Hello from Roost\n");
    return vertx
        .createHttpServer(options)
        .requestHandler(request -> request.response().end(body))
        .listen();
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
            () -> new BareVertx(options), new DeploymentOptions().setInstances(instances))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }
}
