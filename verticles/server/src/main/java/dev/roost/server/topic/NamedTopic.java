package dev.roost.server.topic;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/// A topic by its name: its log is made when it is first used, and made anew where it was given up
/// meanwhile. Thread-safe.
///
/// @param topics those of the process
record NamedTopic(String name, Topics topics) implements Topic {

  @Override
  public Future<String> publish(String message) {
    return topics.publish(name, message);
  }

  @Override
  public Subscription follow(Optional<String> lastEventId, Subscriber subscriber) {
    var context = Vertx.currentContext();
    if (context == null || !context.isEventLoopContext()) {
      throw new IllegalStateException("a topic is followed on an event loop");
    }
    while (true) {
      var subscription = topics.log(name).follow(lastEventId, subscriber);
      if (subscription.isPresent()) {
        return subscription.get();
      }
    }
  }

  @Override
  public String lastId() {
    return topics.log(name).lastId();
  }
}
