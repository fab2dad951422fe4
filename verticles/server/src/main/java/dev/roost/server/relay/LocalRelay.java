package dev.roost.server.relay;

import dev.roost.server.topic.TopicOrder;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/// All in one process: who broadcasts calls the listeners. Thread-safe.
final class LocalRelay implements Relay {

  private final Channels channels = new Channels();

  @Override
  public boolean broadcast(String channel, Buffer note) {
    channels.heard(Note.of(channel, note));
    return true;
  }

  @Override
  public void on(String channel, Listener listener) {
    channels.add(channel, listener);
  }

  @Override
  public Optional<TopicOrder> order() {
    return Optional.empty();
  }
}
