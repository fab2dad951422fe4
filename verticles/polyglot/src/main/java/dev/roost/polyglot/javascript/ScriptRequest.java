package dev.roost.polyglot.javascript;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/// A request as a script sees it. Confined to the request's event loop.
public final class ScriptRequest {

  /// `GET`, `POST` and so on.
  @HostAccess.Export public final String method;

  /// Without the query, normalised.
  @HostAccess.Export public final String path;

  /// An object of the path's parameters: `req.params.slug`.
  @HostAccess.Export public final Object params;

  /// An object of the query's parameters, the first value of each: `req.query.page`.
  @HostAccess.Export public final Object query;

  private final Realm realm;
  private final RoutingContext request;
  private final Reply reply;
  private final boolean bodyRead;

  ScriptRequest(Realm realm, RoutingContext request, Reply reply) {
    this(realm, request, reply, true);
  }

  private ScriptRequest(Realm realm, RoutingContext request, Reply reply, boolean bodyRead) {
    this.realm = realm;
    this.request = request;
    this.reply = reply;
    this.bodyRead = bodyRead;
    this.method = request.request().method().name();
    this.path = request.normalizedPath();
    this.params = Lookup.in(request.pathParams());
    this.query =
        new Lookup(() -> request.queryParams().names(), name -> request.queryParams().get(name));
  }

  /// Of a filter, which runs before the body is read.
  static ScriptRequest beforeBody(Realm realm, RoutingContext request, Reply reply) {
    return new ScriptRequest(realm, request, reply, false);
  }

  /// Of a request that something else answers: a stream, a poll.
  static ScriptRequest readOnly(Realm realm, RoutingContext request) {
    return new ScriptRequest(realm, request, Reply.given(request));
  }

  /// The value of a header, the first if there are several; `null` if there is none, since a script
  /// knows no Optional.
  @HostAccess.Export
  public @Nullable String header(String name) {
    return request.request().getHeader(name);
  }

  /// A promise of the body as a string.
  @HostAccess.Export
  public Value text() {
    return realm.promise(Future.succeededFuture(body()));
  }

  /// A promise of the body's JSON. Where it is none, the error's status is 400: a handler that does
  /// not catch it answers so.
  @HostAccess.Export
  public Value json() {
    return realm.parsed(body());
  }

  /// Sets a header of the answer, whoever gives it.
  @HostAccess.Export
  public void setHeader(String name, String value) {
    request.response().putHeader(name, value);
  }

  /// Answers now, in a handler that returns nothing.
  ///
  /// @throws IllegalStateException if it was answered before
  @HostAccess.Export
  public void respond(Value answer) {
    reply.give(Answer.of(answer, realm));
  }

  private String body() {
    if (!bodyRead) {
      throw new IllegalStateException("a filter runs before the body is read");
    }
    return Optional.ofNullable(request.body().asString()).orElse("");
  }
}
