package dev.roost.server.http;

import dev.roost.server.body.BodyReader;
import dev.roost.server.body.StreamedContext;
import dev.roost.server.files.FileRoute;
import dev.roost.server.relay.Relay;
import dev.roost.server.sse.EventStream;
import dev.roost.server.topic.Topic;
import dev.roost.server.websocket.AsyncSocket;
import dev.roost.server.websocket.BlockingSocketHandler;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// The routes of one instance, on vertx-web's router. Confined to its event loop.
final class MountedRoutes implements Routes {

  /// Filters come before every route of their group, whichever was mounted first.
  private static final int FILTERS = -1_000_000;

  private static final List<HttpMethod> WITH_BODY =
      List.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

  private final Vertx vertx;
  private final Router root;
  private final Router router;
  private final Loop loop;
  private final Manner manner;
  private int filters;

  private MountedRoutes(Vertx vertx, Place place, Loop loop, Manner manner) {
    this.vertx = vertx;
    this.root = place.root();
    this.router = place.router();
    this.loop = loop;
    this.manner = manner;
  }

  /// @param root the one router of the server
  /// @param router that of this group, which may be the root itself
  private record Place(Router root, Router router) {}

  /// How the handlers mounted here are called.
  ///
  /// @param offLoop on a virtual thread each
  /// @param streaming with the body unread
  /// @param bodyBytesMax largest body
  private record Manner(boolean offLoop, boolean streaming, long bodyBytesMax) {}

  /// @return the router that serves `routes`
  static Router on(Vertx vertx, Loop loop, RouteSet routes) {
    var router = Router.router(vertx);
    router.route().order(Integer.MIN_VALUE).handler(loop.turn());
    PlainAnswers.to(router);
    router.route().order(Integer.MAX_VALUE).handler(AllowedMethods::refuseOthers);
    var manner = new Manner(false, false, loop.settings().http().bodyBytesMax());
    routes.mount(new MountedRoutes(vertx, new Place(router, router), loop, manner));
    return router;
  }

  @Override
  public Routes route(HttpMethod method, String path, Handler<RoutingContext> handler) {
    var route =
        method.equals(HttpMethod.GET) ? add(path, method, HttpMethod.HEAD) : add(path, method);
    if (WITH_BODY.contains(method)) {
      handleWithBody(route, handler);
    } else {
      route.handler(placed(handler));
    }
    return this;
  }

  @Override
  public Routes any(String path, Handler<RoutingContext> handler) {
    handleWithBody(add(path), handler);
    return this;
  }

  @Override
  public Routes blocking() {
    return in(new Manner(true, manner.streaming(), manner.bodyBytesMax()));
  }

  @Override
  public Routes streaming() {
    return in(new Manner(manner.offLoop(), true, manner.bodyBytesMax()));
  }

  @Override
  public Routes body(long bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax: %d is not 0 or more".formatted(bytesMax));
    }
    return in(new Manner(manner.offLoop(), manner.streaming(), bytesMax));
  }

  @Override
  public Routes wsAsync(String path, List<String> subprotocols, Handler<AsyncSocket> handler) {
    add(path, HttpMethod.GET).handler(onLoop(loop.sockets().async(subprotocols, handler)));
    return this;
  }

  @Override
  public Routes ws(String path, List<String> subprotocols, BlockingSocketHandler handler) {
    add(path, HttpMethod.GET).handler(onLoop(loop.sockets().blocking(subprotocols, handler)));
    return this;
  }

  @Override
  public Routes sse(String path, Handler<EventStream> handler) {
    add(path, HttpMethod.GET).handler(onLoop(loop.streams().serve(handler)));
    return this;
  }

  @Override
  public Routes longPoll(String path, Function<RoutingContext, Topic> topic) {
    add(path, HttpMethod.GET).handler(onLoop(loop.polls().serve(topic)));
    return this;
  }

  @Override
  public Routes files(String path, Path folder) {
    add(path, HttpMethod.GET, HttpMethod.HEAD).handler(onLoop(new FileRoute(folder)));
    return this;
  }

  @Override
  public Routes filter(Handler<RoutingContext> filter) {
    router.route().order(FILTERS + filters++).handler(inPlace(filter));
    return this;
  }

  @Override
  public Routes group(String prefix, RouteSet routes) {
    var inner = Router.router(vertx);
    routes.mount(new MountedRoutes(vertx, new Place(root, inner), loop, manner));
    router.route(prefix + "/*").subRouter(inner);
    return this;
  }

  @Override
  public Routes notFound(Handler<RoutingContext> handler) {
    root.errorHandler(404, inPlace(handler));
    return this;
  }

  @Override
  public Routes failure(Handler<RoutingContext> handler) {
    var placed = inPlace(handler);
    router
        .route()
        .failureHandler(
            request -> {
              if (request.response().headWritten()) {
                request.next(); // to what breaks it off
              } else {
                placed.handle(request);
              }
            });
    return this;
  }

  @Override
  public Topic topic(String name) {
    return loop.shared().topics().topic(name);
  }

  @Override
  public Relay relay() {
    return loop.shared().relay();
  }

  /// @param methods none means all
  private Route add(String path, HttpMethod... methods) {
    var route = router.route(path);
    if (methods.length > 0) {
      List.of(methods).forEach(route::method);
      router.route(path).order(Integer.MAX_VALUE - 1).handler(new AllowedMethods(List.of(methods)));
    }
    return route;
  }

  private Routes in(Manner other) {
    return new MountedRoutes(vertx, new Place(root, router), loop, other);
  }

  private void handleWithBody(Route route, Handler<RoutingContext> handler) {
    if (manner.streaming()) {
      route.handler(StreamedContext.serve(manner.bodyBytesMax(), placed(handler)));
    } else {
      route.handler(wholeBody()).handler(placed(handler));
    }
  }

  /// Reads the whole body, as far as there is room for it.
  private Handler<RoutingContext> wholeBody() {
    var shared = loop.shared();
    return onLoop(new BodyReader(shared.bodies(), shared.uploads(), manner.bodyBytesMax()));
  }

  /// The handler itself, or one that runs it off the loop.
  private Handler<RoutingContext> placed(Handler<RoutingContext> handler) {
    return manner.offLoop() ? request -> runOffLoop(request, handler) : inPlace(handler);
  }

  /// A handler of the application, where the mode says.
  private Handler<RoutingContext> inPlace(Handler<RoutingContext> handler) {
    var placement = loop.placement();
    return placement.isEventLoop()
        ? handler
        : request -> placement.handle(request, () -> handler.handle(request));
  }

  /// A step of the server's own, which a filter elsewhere may have come before. Nothing is begun
  /// for a client that left while a filter took its time: nobody would be told that it ends.
  private Handler<RoutingContext> onLoop(Handler<RoutingContext> step) {
    var placement = loop.placement();
    return request ->
        placement.serve(
            request,
            () -> {
              if (!request.response().closed()) {
                step.handle(request);
              }
            });
  }

  private void runOffLoop(RoutingContext request, Handler<RoutingContext> handler) {
    if (!loop.turn().leave(request)) {
      return;
    }
    var owner = vertx.getOrCreateContext();
    var started =
        loop.shared()
            .blocking()
            .run(
                () -> {
                  try {
                    handler.handle(request);
                  } catch (Throwable failure) { // the client must have its answer
                    owner.runOnContext(_ -> request.fail(failure));
                  }
                });
    if (!started) {
      request.response().putHeader("retry-after", "1");
      request.fail(503);
    }
  }
}
