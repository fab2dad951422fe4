package dev.roost.server.sse;

import dev.roost.server.topic.Batch;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.TopicMessage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A stream's place in a topic: one batch is on its way to the client at a time. Confined to the
/// stream's event loop.
final class Following implements Subscriber {

  private static final Function<List<TopicMessage>, Buffer> WIRE = Event::encoded;

  private final Function<Buffer, Future<Void>> stream;
  private Subscription subscription = Subscription.none();
  private boolean writing;

  /// @param stream takes what goes to the client; completes when it is written, or never will be
  Following(Function<Buffer, Future<Void>> stream) {
    this.stream = stream;
  }

  void by(Subscription made) {
    subscription = made;
  }

  Subscription subscription() {
    return subscription;
  }

  @Override
  public boolean ready() {
    return !writing;
  }

  @Override
  public void messages(Batch batch) {
    write(batch.as(WIRE));
  }

  @Override
  public void gap(String id) {
    write(Buffer.buffer(new Event("", Optional.of(id), Optional.of("gap")).encoded()));
  }

  private void write(Buffer wire) {
    writing = true;
    stream
        .apply(wire)
        .onComplete(
            _ -> {
              writing = false;
              subscription.resume();
            });
  }
}
