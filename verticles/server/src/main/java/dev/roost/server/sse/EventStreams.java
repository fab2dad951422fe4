package dev.roost.server.sse;

import dev.roost.server.flow.Placement;
import dev.roost.server.guard.Http1Guard;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.StreamSettings;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/// The open event streams of one event loop. Confined to it.
public final class EventStreams {

  private final StreamSettings settings;
  private final ServerMetrics metrics;
  private final Placement placement;
  private final Set<EventStream> open = new LinkedHashSet<>();
  private final Buffer heartbeat = Buffer.buffer(Event.comment(""));
  private boolean closing;

  /// @param placement where handlers of the application run
  public EventStreams(StreamSettings settings, ServerMetrics metrics, Placement placement) {
    this.settings = settings;
    this.metrics = metrics;
    this.placement = placement;
  }

  /// A handler that answers with an event stream and hands it to `handler`.
  public Handler<RoutingContext> serve(Handler<EventStream> handler) {
    return request -> start(request, handler);
  }

  /// Ends every stream, each after a last comment, and each that may still come at once.
  public void close() {
    closing = true;
    Set.copyOf(open).forEach(EventStreams::end);
  }

  private static void end(EventStream stream) {
    stream.comment("the server is going away"); // a failure means it is gone already
    stream.close();
  }

  private void start(RoutingContext request, Handler<EventStream> handler) {
    var response = request.response();
    response
        .setChunked(true)
        .putHeader("content-type", "text/event-stream; charset=utf-8")
        .putHeader("cache-control", "no-store")
        .putHeader("x-accel-buffering", "no");
    var stream = new EventStream(request, this);
    open.add(stream);
    metrics.eventStreamOpened();
    request.addEndHandler(
        _ -> {
          if (open.remove(stream)) {
            metrics.eventStreamClosed();
          }
          stream.ended();
        });
    Http1Guard.of(request.request().connection())
        .ifPresent(guard -> guard.probe(() -> stream.comment(""))); // is it still there?
    response.writeHead(); // the first byte goes out at once; a failure ends the stream
    placement.handle(request, () -> handler.handle(stream));
    if (closing) {
      end(stream);
    }
  }

  Placement placement() {
    return placement;
  }

  int outboxMax() {
    return settings.outboxEventsMax();
  }

  Duration heartbeatEvery() {
    return settings.heartbeat();
  }

  /// The comment that says that the server is there.
  Buffer heartbeat() {
    return heartbeat;
  }

  void shed() {
    metrics.outboxShed("sse");
  }

  void stalled() {
    metrics.eventStreamStalled();
  }
}
