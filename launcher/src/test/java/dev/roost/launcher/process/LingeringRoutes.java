package dev.roost.launcher.process;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.websocket.BlockingSocket;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/// One route of each kind that is still busy when the server is told to stop.
public final class LingeringRoutes implements RouteSet {

  private static final Duration SLOW = Duration.ofSeconds(3);

  @Override
  public void mount(Routes routes) {
    var news = routes.topic("news");
    routes
        .get("/", request -> request.end("hello"))
        .get("/deferred", LingeringRoutes::defer)
        .longPoll("/poll", _ -> news)
        .sse("/stream", stream -> stream.follow(news))
        .wsAsync("/socket", socket -> socket.text(socket::send))
        .ws("/blocking-socket", BlockingSocket::receive);
    routes.blocking().get("/slow", LingeringRoutes::work);
  }

  private static void defer(RoutingContext request) {
    var answer = Deferred.of(request);
    request.vertx().setTimer(SLOW.toMillis(), _ -> answer.respond("deferred"));
  }

  private static void work(RoutingContext request) {
    try {
      Thread.sleep(SLOW); // what a handler does that takes three seconds
      request.end("slow");
    } catch (InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
