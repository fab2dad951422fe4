package dev.roost.polyglot.javascript;

import dev.roost.server.http.Routes;
import dev.roost.server.topic.Topic;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/// What a script's `routes(r)` gets: [Routes] with JavaScript's habits. Confined to the instance's
/// event loop.
public final class ScriptRoutes {

  private final Realm realm;
  private final Routes routes;

  ScriptRoutes(Realm realm, Routes routes) {
    this.realm = realm;
    this.routes = routes;
  }

  /// `r.get(path, req => answer)`; it serves HEAD too.
  @HostAccess.Export
  public ScriptRoutes get(String path, Value handler) {
    return route(HttpMethod.GET, path, handler);
  }

  /// `r.post(path, async req => answer)`
  @HostAccess.Export
  public ScriptRoutes post(String path, Value handler) {
    return route(HttpMethod.POST, path, handler);
  }

  /// `r.put(path, async req => answer)`
  @HostAccess.Export
  public ScriptRoutes put(String path, Value handler) {
    return route(HttpMethod.PUT, path, handler);
  }

  /// `r.patch(path, async req => answer)`
  @HostAccess.Export
  public ScriptRoutes patch(String path, Value handler) {
    return route(HttpMethod.PATCH, path, handler);
  }

  /// `r.delete(path, req => answer)`
  @HostAccess.Export
  public ScriptRoutes delete(String path, Value handler) {
    return route(HttpMethod.DELETE, path, handler);
  }

  /// `r.options(path, req => answer)`
  @HostAccess.Export
  public ScriptRoutes options(String path, Value handler) {
    return route(HttpMethod.OPTIONS, path, handler);
  }

  /// `r.head(path, req => answer)`
  @HostAccess.Export
  public ScriptRoutes head(String path, Value handler) {
    return route(HttpMethod.HEAD, path, handler);
  }

  /// `r.any(path, req => answer)`, whatever the method
  @HostAccess.Export
  public ScriptRoutes any(String path, Value handler) {
    routes.any(path, answering(function(path, handler)));
    return this;
  }

  /// `r.sse(path, stream => { … })`. If it throws, or its promise is rejected, the stream is cut.
  @HostAccess.Export
  public ScriptRoutes sse(String path, Value handler) {
    var function = function(path, handler);
    routes.sse(
        path,
        stream ->
            realm.call(
                function,
                new ScriptStream(realm, stream),
                _ -> {},
                failure -> stream.request().fail(failure.status(), failure)));
    return this;
  }

  /// `r.longPoll(path, req => r.topic(name))`
  @HostAccess.Export
  public ScriptRoutes longPoll(String path, Value handler) {
    var function = function(path, handler);
    routes.longPoll(path, request -> topic(function, request));
    return this;
  }

  /// `r.filter(req => answer)`: what it answers is the end of it, nothing lets the request pass.
  @HostAccess.Export
  public ScriptRoutes filter(Value handler) {
    var function = function("filter", handler);
    routes.filter(
        request -> {
          var reply = new Reply(request);
          realm.call(
              function,
              ScriptRequest.beforeBody(realm, request, reply),
              answer -> {
                if (answer.isNull()) {
                  reply.pass();
                } else {
                  reply.give(Answer.of(answer, realm));
                }
              },
              reply::fail);
          reply.handlerReturned();
        });
    return this;
  }

  /// `r.group("/prefix", r => { … })`
  @HostAccess.Export
  public ScriptRoutes group(String prefix, Value mount) {
    var function = function(prefix, mount);
    routes.group(prefix, inner -> function.executeVoid(new ScriptRoutes(realm, inner)));
    return this;
  }

  /// `r.topic(name)`: one and the same in every instance.
  @HostAccess.Export
  public ScriptTopic topic(String name) {
    return new ScriptTopic(realm, routes.topic(name));
  }

  private ScriptRoutes route(HttpMethod method, String path, Value handler) {
    routes.route(method, path, answering(function(path, handler)));
    return this;
  }

  private Handler<RoutingContext> answering(Value handler) {
    return request -> {
      var reply = new Reply(request);
      realm.call(
          handler,
          new ScriptRequest(realm, request, reply),
          answer -> {
            if (!answer.isNull()) {
              reply.give(Answer.of(answer, realm));
            }
          },
          reply::fail);
      reply.handlerReturned();
    };
  }

  private Topic topic(Value handler, RoutingContext request) {
    try {
      var topic = handler.execute(ScriptRequest.readOnly(realm, request));
      if (topic.isHostObject() && topic.asHostObject() instanceof ScriptTopic found) {
        return found.topic();
      }
      throw new IllegalArgumentException(
          "%s: a long poll needs a topic, not %s".formatted(realm.script(), Realm.shown(topic)));
    } catch (PolyglotException thrown) {
      throw realm.failure(thrown);
    }
  }

  private static Value function(String where, Value handler) {
    if (!handler.canExecute()) {
      throw new IllegalArgumentException(
          "%s: needs a function, not %s".formatted(where, Realm.shown(handler)));
    }
    return handler;
  }
}
