package dev.roost.server.topic;

import io.vertx.core.Future;
import java.util.Optional;

/// A topic that would be one too many.
public record FullTopic() implements Topic {

  @Override
  public String name() {
    return "full";
  }

  @Override
  public Future<String> publish(String message) {
    throw TopicRefusal.tooMany(0);
  }

  @Override
  public Subscription follow(Optional<String> lastEventId, Subscriber subscriber) {
    throw TopicRefusal.tooMany(0);
  }

  @Override
  public String lastId() {
    throw TopicRefusal.tooMany(0);
  }
}
