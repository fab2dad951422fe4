package dev.roost.server.body;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextDecorator;
import io.vertx.ext.web.impl.RoutingContextInternal;

/// The same request, with a body that its handler reads as it comes. Confined to the request's
/// event loop.
@SuppressWarnings("unchecked") // data() of the superclass
public final class StreamedContext extends RoutingContextDecorator {

  private final HttpServerRequest streamed;

  private StreamedContext(RoutingContext request, long bytesMax) {
    super(request.currentRoute(), (RoutingContextInternal) request);
    this.streamed = new StreamedRequest(request, bytesMax);
  }

  @Override
  public HttpServerRequest request() {
    return streamed;
  }

  /// A handler that hands the request with its body unread to `handler`. A body announced larger
  /// than `bytesMax` is refused at once with 413, one that turns out larger when it does.
  ///
  /// @param bytesMax largest body, in bytes, 0 or more
  public static Handler<RoutingContext> serve(long bytesMax, Handler<RoutingContext> handler) {
    return request -> {
      var expect = request.request().getHeader(HttpHeaders.EXPECT);
      if (ContentLength.of(request.request()).orElse(0) > bytesMax) {
        request.fail(413);
      } else if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
        request.fail(417);
      } else {
        handler.handle(new StreamedContext(request, bytesMax));
      }
    };
  }
}
