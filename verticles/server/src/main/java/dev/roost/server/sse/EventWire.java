package dev.roost.server.sse;

import dev.roost.server.flow.Outbox;
import dev.roost.server.guard.Connections;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/// Encoded events on their way into the answer to `request`.
record EventWire(RoutingContext request) implements Outbox.Wire<Buffer> {

  @Override
  public Future<Void> write(Buffer event) {
    return request.response().write(event);
  }

  @Override
  public long bytes(Buffer event) {
    return event.length();
  }

  @Override
  public boolean flush() {
    return Connections.flush(request.request().connection());
  }

  @Override
  public void later(Runnable task) {
    request.vertx().runOnContext(_ -> task.run());
  }
}
