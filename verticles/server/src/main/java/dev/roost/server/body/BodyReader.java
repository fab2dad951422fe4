package dev.roost.server.body;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;

/// Reads the whole body before the next handler runs, which finds it in `body()`, and the fields
/// and files of a form in `request().formAttributes()` and `fileUploads()`. Called on the request's
/// event loop.
///
/// @param budget room for what is held of it
/// @param uploads where the files of forms go
/// @param bytesMax largest body, files included, 0 or more; beyond it 413
public record BodyReader(BodyBudget budget, Uploads uploads, long bytesMax)
    implements Handler<RoutingContext> {

  @Override
  public void handle(RoutingContext request) {
    var inner = (RoutingContextInternal) request;
    if (inner.seenHandler(RoutingContextInternal.BODY_HANDLER)) {
      request.next(); // read for a route before this one
      return;
    }
    inner.visitHandler(RoutingContextInternal.BODY_HANDLER);
    if (hasNone(request)) {
      handOnNone(inner);
    } else {
      read(inner);
    }
  }

  /// Even a form of no parts has a boundary that closes it (RFC 2046, 5.1.1).
  private static void handOnNone(RoutingContextInternal request) {
    switch (BodyKind.of(request.request())) {
      case BodyKind.Parts _ -> request.fail(400, BrokenForm.unfinished());
      case BodyKind.NoBoundary _ -> request.fail(400, BrokenForm.withoutBoundary());
      case BodyKind.Bytes _, BodyKind.Fields _ -> {
        request.setBody(Buffer.buffer());
        request.next();
      }
    }
  }

  /// A request without a body may have ended while a filter took its time.
  private static boolean hasNone(RoutingContext request) {
    var http = request.request();
    return http.isEnded() || (http.version() != HttpVersion.HTTP_2 && !UnreadBody.mayFollow(http));
  }

  private void read(RoutingContextInternal request) {
    var http = request.request();
    var expect = http.getHeader(HttpHeaders.EXPECT);
    var kind = BodyKind.of(http);
    if (ContentLength.of(http).orElse(0) > bytesMax) {
      request.fail(413);
    } else if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
      request.fail(417);
    } else if (kind instanceof BodyKind.NoBoundary) {
      request.fail(400, BrokenForm.withoutBoundary());
    } else {
      new WholeBody(request, kind, this).read();
    }
  }
}
