package dev.roost.server.http;

import dev.roost.server.relay.Relay;
import dev.roost.server.sse.EventStream;
import dev.roost.server.topic.Topic;
import dev.roost.server.websocket.AsyncSocket;
import dev.roost.server.websocket.BlockingSocketHandler;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// Where an application says what it serves. Paths are vertx-web's: `/post/:slug`, `/files/*`.
///
/// Handlers run on the event loop of their connection and must not block, except those of
/// [#blocking()] and [#ws]. A request whose handler returned without answering holds one
/// continuation slot of its loop until it is answered. Confined to one event loop.
public interface Routes {

  /// Serves `method` on `path`; GET serves HEAD too, without the body.
  Routes route(HttpMethod method, String path, Handler<RoutingContext> handler);

  /// Serves every method on `path`.
  Routes any(String path, Handler<RoutingContext> handler);

  /// Serves GET, and HEAD without a body.
  default Routes get(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.GET, path, handler);
  }

  /// Serves POST.
  default Routes post(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.POST, path, handler);
  }

  /// Serves PUT.
  default Routes put(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.PUT, path, handler);
  }

  /// Serves PATCH.
  default Routes patch(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.PATCH, path, handler);
  }

  /// Serves DELETE.
  default Routes delete(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.DELETE, path, handler);
  }

  /// Serves OPTIONS.
  default Routes options(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.OPTIONS, path, handler);
  }

  /// Serves HEAD.
  default Routes head(String path, Handler<RoutingContext> handler) {
    return route(HttpMethod.HEAD, path, handler);
  }

  /// The same verbs, but handlers run on a virtual thread each and may wait. Past
  /// `blocking.handlers` running at once they answer 503.
  Routes blocking();

  /// The same verbs with a bound of their own for the body, in bytes, 0 or more, instead of
  /// `http.body-size`; beyond it 413.
  Routes body(long bytesMax);

  /// The same verbs, but handlers get the request with its body paused and unread: `pipeTo` it, or
  /// set handlers and `resume`. Who pauses slows the client down; nothing of the body is kept.
  /// Beyond the bound the reading fails with 413, which is also the answer if the handler gives
  /// none; a client that leaves is told to the exception handler. Forms and files are for the
  /// others: their handlers find them in `request().formAttributes()` and `fileUploads()` until
  /// they answer.
  Routes streaming();

  /// Upgrades to a WebSocket whose handlers run on the event loop.
  default Routes wsAsync(String path, Handler<AsyncSocket> handler) {
    return wsAsync(path, List.of(), handler);
  }

  /// The same, agreeing with the client on one of `subprotocols`: the first it asks for that is
  /// among them. A client that asks for none or for others gets a socket without.
  Routes wsAsync(String path, List<String> subprotocols, Handler<AsyncSocket> handler);

  /// Upgrades to a WebSocket whose handler has a virtual thread of its own and may wait. Past
  /// `blocking.handlers` running at once it answers 503.
  default Routes ws(String path, BlockingSocketHandler handler) {
    return ws(path, List.of(), handler);
  }

  /// The same, agreeing on a subprotocol as [#wsAsync] does.
  Routes ws(String path, List<String> subprotocols, BlockingSocketHandler handler);

  /// Answers GET with an event stream.
  Routes sse(String path, Handler<EventStream> handler);

  /// Answers GET as soon as the topic has news after the request's `cursor`, or 204 at the timeout.
  Routes longPoll(String path, Function<RoutingContext, Topic> topic);

  /// Serves the files of `folder` under `path`, which ends in `/*`, to GET and HEAD: ranges,
  /// conditional requests, `index.html` for a folder; `x.css.br`, `.zst` or `.gz` beside `x.css`
  /// where the client takes it. Nothing hidden (a name that starts with a dot), nothing outside
  /// (nor by a link); what is not there is for the next route.
  Routes files(String path, Path folder);

  /// Runs before every kind of route mounted in this group, before or after it: upgrades and 404s
  /// included. It answers, or calls `next()`.
  Routes filter(Handler<RoutingContext> filter);

  /// Mounts `routes` under `prefix`, with the filters of this group before their own.
  Routes group(String prefix, RouteSet routes);

  /// Runs when no route of the server matched the path.
  Routes notFound(Handler<RoutingContext> handler);

  /// Runs when a handler failed; `failure()` and `statusCode()` say how. It answers. An answer that
  /// had begun by then is broken off instead, so that no client takes half of it for the whole: the
  /// connection closes, on HTTP/2 the stream is reset (INTERNAL_ERROR).
  Routes failure(Handler<RoutingContext> handler);

  /// The topic of that name, one and the same on every loop.
  Topic topic(String name);

  /// Notes to every process of the server, for what each keeps to itself.
  Relay relay();
}
