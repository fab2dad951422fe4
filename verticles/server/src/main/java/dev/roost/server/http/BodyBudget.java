package dev.roost.server.http;

import dev.roost.server.body.UnreadBody;
import dev.roost.server.metrics.ServerMetrics;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicLong;

/// The bytes of request bodies that may be held in memory at once, by all loops together: a quarter
/// of the heap, so that unfinished uploads cannot fill it. Beyond it a request is refused with 503.
/// Thread-safe.
public final class BodyBudget {

  private static final int SHARE_OF_HEAP = 4;

  private final long bytesMax;
  private final ServerMetrics metrics;
  private final AtomicLong held = new AtomicLong();

  public BodyBudget(ServerMetrics metrics) {
    this(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, metrics);
  }

  /// @param bytesMax bytes that may be held at once
  public BodyBudget(long bytesMax, ServerMetrics metrics) {
    this.bytesMax = bytesMax;
    this.metrics = metrics;
  }

  /// Reserves room for the body of `request` until it is answered, and reads it; or refuses.
  ///
  /// @param bodyBytesMax what a body of unknown length is taken for
  void reserve(RoutingContext request, long bodyBytesMax, Runnable read) {
    var bytes = Math.min(announced(request, bodyBytesMax), bodyBytesMax);
    if (held.addAndGet(bytes) > bytesMax) {
      held.addAndGet(-bytes);
      metrics.bodyRefused();
      request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
      request.fail(503);
      return;
    }
    request.addEndHandler(_ -> held.addAndGet(-bytes));
    read.run();
  }

  /// A length that is no number is refused further on.
  private static long announced(RoutingContext request, long unknown) {
    if (!UnreadBody.mayFollow(request.request())) {
      return 0;
    }
    var length = request.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? unknown : Long.parseLong(length);
    } catch (NumberFormatException _) {
      return unknown;
    }
  }
}
