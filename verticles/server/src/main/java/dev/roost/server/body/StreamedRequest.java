package dev.roost.server.body;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import io.vertx.core.streams.Pipe;
import io.vertx.core.streams.WriteStream;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/// A request whose body is read by its handler, through a [StreamedBody]. Confined to the request's
/// event loop.
final class StreamedRequest extends HttpServerRequestWrapper {

  private final StreamedBody body;

  StreamedRequest(RoutingContext request, long bytesMax) {
    super((HttpServerRequestInternal) request.request());
    this.body = new StreamedBody(request, bytesMax);
  }

  @Override
  public HttpServerRequest handler(@Nullable Handler<Buffer> handler) {
    body.handler(handler);
    return this;
  }

  @Override
  public HttpServerRequest exceptionHandler(@Nullable Handler<Throwable> handler) {
    body.exceptionHandler(handler);
    return this;
  }

  @Override
  public HttpServerRequest endHandler(@Nullable Handler<Void> handler) {
    body.endHandler(handler);
    return this;
  }

  @Override
  public HttpServerRequest pause() {
    body.pause();
    return this;
  }

  @Override
  public HttpServerRequest resume() {
    body.resume();
    return this;
  }

  @Override
  public HttpServerRequest fetch(long amount) {
    body.fetch(amount);
    return this;
  }

  @Override
  public Future<Buffer> body() {
    return body.whole();
  }

  @Override
  public Future<Void> end() {
    return body.end();
  }

  @Override
  public Pipe<Buffer> pipe() {
    return body.pause().pipe();
  }

  @Override
  public Future<Void> pipeTo(WriteStream<Buffer> to) {
    return body.pipeTo(to);
  }
}
