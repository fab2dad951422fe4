import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/// What a mixed load asks for: a short answer, one of 256 KiB, and whatever body was sent.
public final class Bodies implements RouteSet {
  private static final Buffer LARGE = Buffer.buffer("x".repeat(256 * 1024 - 1) + "\n");

  @Override
  public void mount(Routes routes) {
    routes
        .get("/", request -> request.end("Hello from Roost\n"))
        .get("/large", request -> request.end(LARGE))
        .post("/echo", Bodies::echo);
  }

  private static void echo(RoutingContext request) {
    request.end(request.body().buffer());
  }
}
