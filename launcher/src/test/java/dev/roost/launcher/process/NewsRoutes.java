package dev.roost.launcher.process;

import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.topic.Topic;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/// A topic in all its forms, and a note to all; each answer tells by which process it is given.
public final class NewsRoutes implements RouteSet {
  private static final AtomicReference<String> LAST_NOTE = new AtomicReference<>("");

  @Override
  public void mount(Routes routes) {
    var news = routes.topic("news");
    var relay = routes.relay();
    relay.on("notes", note -> LAST_NOTE.set(note.toString()));
    routes
        .filter(NewsRoutes::sign)
        .get("/", request -> request.end("hello\n"))
        .post("/news", request -> publish(news, request))
        .sse("/stream", stream -> stream.follow(news))
        .wsAsync("/socket", socket -> socket.follow(news))
        .longPoll("/poll", _ -> news)
        .get("/note", request -> request.end(LAST_NOTE.get()))
        .post("/note", request -> request.end("" + relay.broadcast("notes", body(request))));
  }

  private static void sign(RoutingContext request) {
    request.response().putHeader("worker", Long.toString(ProcessHandle.current().pid()));
    request.next();
  }

  private static void publish(Topic news, RoutingContext request) {
    news.publish(body(request).toString()).onSuccess(request::end).onFailure(request::fail);
  }

  private static Buffer body(RoutingContext request) {
    return Objects.requireNonNull(request.body().buffer(), "a body");
  }
}
