package dev.roost.server.flow;

import dev.roost.server.metrics.ServerMetrics;
import io.vertx.ext.web.RoutingContext;

/// The requests of one event loop that wait for their answer. Their number is bounded, and so is
/// what can ever be queued on the loop for them. Confined to its loop.
public final class Continuations {

  /// RFC 9113, section 7: the peer causes excessive load. Not REFUSED_STREAM, after which clients
  /// send any request again (8.7): the handlers of this one have run.
  private static final long ENHANCE_YOUR_CALM = 11;

  private static final String SLOT = "dev.roost.continuation";

  private final int slotsMax;
  private final ServerMetrics metrics;
  private int held;

  /// What a request's slot is now; kept with the request.
  private enum Slot {
    HELD,
    RELEASED
  }

  /// @param slotsMax requests that may wait at once, 1..1,048,576
  public Continuations(int slotsMax, ServerMetrics metrics) {
    this.slotsMax = slotsMax;
    this.metrics = metrics;
  }

  /// Called when the handlers of a request have returned: takes a slot if it is not answered yet.
  /// Where none is left the request is shed: its connection is closed (on HTTP/2 its stream is
  /// reset, so that the others on the connection live on), and it is counted.
  public void handlersReturned(RoutingContext request) {
    var response = request.response();
    if (response.headWritten() || response.ended() || response.closed() || has(request)) {
      return;
    }
    if (held >= slotsMax) {
      shed(request);
      return;
    }
    held++;
    request.put(SLOT, Slot.HELD);
    request.addHeadersEndHandler(_ -> answered(request));
    request.addEndHandler(_ -> answered(request));
  }

  /// The request has its answer, or needs none any more; saying so twice is harmless.
  public void answered(RoutingContext request) {
    Slot before = request.get(SLOT);
    request.put(SLOT, Slot.RELEASED);
    if (before == Slot.HELD) {
      held--;
    }
  }

  /// Slots taken now.
  public int held() {
    return held;
  }

  private static boolean has(RoutingContext request) {
    Slot slot = request.get(SLOT);
    return slot != null;
  }

  private void shed(RoutingContext request) {
    metrics.continuationShed();
    Cut.now(request, ENHANCE_YOUR_CALM);
  }
}
