package dev.roost.server.body;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.streams.ReadStream;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import org.jspecify.annotations.Nullable;

/// A body as it comes, up to its bound: what is beyond it reaches nobody, and is answered 413. A
/// client that waits for it is told to go on when somebody begins to read. A failure waits for
/// whoever wants to know of it, since a handler elsewhere may begin when its client is gone
/// already. Read on the request's event loop; the handlers may be set from another thread.
final class StreamedBody implements ReadStream<Buffer> {

  private static final int TOO_LARGE = 413;

  private final RoutingContext request;
  private final HttpServerRequest source;
  private final long bytesMax;
  private final Context loop;
  private @Nullable Handler<Buffer> handler;
  private @Nullable Handler<Throwable> exceptionHandler;
  private @Nullable Throwable untold;
  private @Nullable Handler<Void> endHandler;
  private boolean awaited;
  private boolean refused;
  private long bytes;

  StreamedBody(RoutingContext request, long bytesMax) {
    this.request = request;
    this.source = request.request();
    this.loop = request.vertx().getOrCreateContext();
    this.bytesMax = bytesMax;
    this.awaited =
        source.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)
            && source.version() != HttpVersion.HTTP_1_0;
    source.handler(this::received).exceptionHandler(this::failed).endHandler(_ -> ended());
  }

  @Override
  public StreamedBody handler(@Nullable Handler<Buffer> reader) {
    handler = reader;
    return this;
  }

  @Override
  public StreamedBody exceptionHandler(@Nullable Handler<Throwable> reader) {
    synchronized (this) {
      exceptionHandler = reader;
      if (untold == null || reader == null) {
        return this;
      }
    }
    loop.runOnContext(_ -> tell());
    return this;
  }

  @Override
  public StreamedBody endHandler(@Nullable Handler<Void> reader) {
    endHandler = reader;
    return this;
  }

  @Override
  public StreamedBody pause() {
    if (!source.isEnded()) {
      source.pause();
    }
    return this;
  }

  @Override
  public StreamedBody resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public StreamedBody fetch(long amount) {
    if (awaited) {
      awaited = false;
      source.response().writeContinue(); // a failure here means that the client is gone
    }
    if (!source.isEnded()) {
      source.fetch(amount);
    }
    return this;
  }

  /// Reads all of it.
  Future<Buffer> whole() {
    var all = Buffer.buffer();
    return handler(all::appendBuffer).end().map(all);
  }

  /// Completes when all of it was read.
  Future<Void> end() {
    var read = Promise.<Void>promise();
    exceptionHandler(read::tryFail).endHandler(read::tryComplete).resume();
    return read.future();
  }

  private void received(Buffer piece) {
    bytes += piece.length();
    if (bytes > bytesMax) {
      refuse();
    } else if (handler != null) {
      handler.handle(piece);
    }
  }

  private void ended() {
    if (!refused && endHandler != null) {
      endHandler.handle(null);
    }
  }

  private void failed(Throwable failure) {
    synchronized (this) {
      untold = ClientGone.orSame(failure);
    }
    tell();
  }

  private void tell() {
    Handler<Throwable> reader;
    Throwable failure;
    synchronized (this) {
      if (untold == null || exceptionHandler == null) {
        return;
      }
      reader = exceptionHandler;
      failure = untold;
      untold = null;
    }
    reader.handle(failure);
  }

  /// The reader learns it as a failure and may answer; if it does not, 413 is the answer.
  private void refuse() {
    if (refused) {
      return;
    }
    refused = true;
    failed(new HttpException(TOO_LARGE));
    request
        .vertx()
        .runOnContext(
            _ -> {
              if (!request.failed() && !request.response().ended()) {
                request.fail(TOO_LARGE);
              }
            });
  }
}
