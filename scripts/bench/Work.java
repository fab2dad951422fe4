import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// What the modes of Roost are compared with: handlers that answer at once, that compute for a
/// millisecond, and that wait for one, in the mode's own way.
public final class Work implements RouteSet {
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  @Override
  public void mount(Routes routes) {
    routes.get("/", Work::answer).get("/compute", Work::compute);
    routes.get("/wait", Work::await).blocking().get("/blocking/wait", Work::await);
  }

  private static void answer(RoutingContext request) {
    request.end("Hello from Roost\n");
  }

  private static void compute(RoutingContext request) {
    long end = System.nanoTime() + MILLISECOND;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    answer(request);
  }

  private static void await(RoutingContext request) {
    LockSupport.parkNanos(MILLISECOND);
    answer(request);
  }
}
