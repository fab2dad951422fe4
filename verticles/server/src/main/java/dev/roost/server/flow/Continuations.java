package dev.roost.server.flow;

import dev.roost.server.metrics.ServerMetrics;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// The requests of one event loop that wait for their answer. Their number is bounded, and so is
/// what can ever be queued on the loop for them. Confined to its loop, but for [#answered], which
/// any thread may say.
public final class Continuations {

  /// RFC 9113, section 7: the peer causes excessive load. Not REFUSED_STREAM, after which clients
  /// send any request again (8.7): the handlers of this one have run.
  private static final long ENHANCE_YOUR_CALM = 11;

  private static final String SLOT = "dev.roost.continuation";

  private final int slotsMax;
  private final ServerMetrics metrics;
  private final AtomicInteger held = new AtomicInteger();

  /// @param slotsMax requests that may wait at once, 1..1,048,576
  public Continuations(int slotsMax, ServerMetrics metrics) {
    this.slotsMax = slotsMax;
    this.metrics = metrics;
  }

  /// Takes a slot for a request that goes on without an answer; before it leaves the loop, or when
  /// its handlers have returned. Where none is left the request is shed: its connection is closed
  /// (on HTTP/2 its stream is reset, so that the others on the connection live on), and it is
  /// counted.
  ///
  /// @return whether there was a slot
  public boolean take(RoutingContext request) {
    if (held.get() >= slotsMax) {
      shed(request);
      return false;
    }
    held.incrementAndGet();
    request.put(SLOT, new AtomicBoolean(true));
    request.addHeadersEndHandler(_ -> answered(request));
    request.addEndHandler(_ -> answered(request));
    return true;
  }

  /// Whether the request has or had a slot.
  public boolean has(RoutingContext request) {
    return request.get(SLOT) != null;
  }

  /// The request has its answer, or needs none any more; saying so twice is harmless.
  public void answered(RoutingContext request) {
    AtomicBoolean slot = request.get(SLOT);
    if (slot != null && slot.compareAndSet(true, false)) {
      held.decrementAndGet();
    }
  }

  /// Slots taken now.
  public int held() {
    return held.get();
  }

  private void shed(RoutingContext request) {
    metrics.continuationShed();
    Cut.now(request, ENHANCE_YOUR_CALM);
  }
}
