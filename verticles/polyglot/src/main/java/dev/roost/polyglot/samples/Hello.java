package dev.roost.polyglot.samples;

import dev.roost.server.flow.Deferred;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.topic.Topic;
import dev.roost.server.websocket.BlockingSocket;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/// Each kind of route in a few lines: `vertx run hello`, then `curl -k https://localhost:9443/`.
public final class Hello implements RouteSet {

  @Override
  public void mount(Routes routes) {
    var news = routes.topic("news");
    routes
        .filter(Hello::sign)
        .get("/", request -> request.end("Hello from Roost\n"))
        .get("/hello/:name", request -> request.end("Hello, " + request.pathParam("name") + "\n"))
        .get("/later", Hello::later)
        .post("/echo", request -> request.end(body(request)))
        .post("/news", request -> publish(news, request))
        .wsAsync("/echo/async", socket -> socket.text(socket::send).binary(socket::send))
        .wsAsync("/news/socket", socket -> socket.follow(news))
        .ws("/echo/blocking", Hello::echo)
        .sse("/news/stream", stream -> stream.follow(news))
        .longPoll("/news/poll", _ -> news);
    routes.blocking().get("/slow", Hello::slow);
  }

  private static void sign(RoutingContext request) {
    request.response().putHeader("server", "Roost");
    request.next();
  }

  private static void publish(Topic news, RoutingContext request) {
    news.publish(body(request).toString()).onSuccess(request::end).onFailure(request::fail);
  }

  private static Buffer body(RoutingContext request) {
    return Objects.requireNonNullElseGet(request.body().buffer(), Buffer::buffer);
  }

  private static void later(RoutingContext request) {
    var answer = Deferred.of(request);
    request.vertx().setTimer(20, _ -> answer.respond("Hello, later\n"));
  }

  private static void slow(RoutingContext request) {
    request.end(
        "Hello from " + (Thread.currentThread().isVirtual() ? "a" : "no") + " virtual thread\n");
  }

  private static void echo(BlockingSocket socket) throws Exception {
    for (var message = socket.receive(); message != null; message = socket.receive()) {
      socket.send(message);
    }
  }
}
