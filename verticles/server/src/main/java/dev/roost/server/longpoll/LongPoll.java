package dev.roost.server.longpoll;

import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/// One request that waits for news. Confined to its event loop.
final class LongPoll implements Subscriber {

  /// Messages in one answer; the rest comes with the next poll.
  private static final int MESSAGES_MAX = 256;

  private final RoutingContext request;
  private final Topic topic;
  private final JsonArray messages = new JsonArray();
  private Subscription subscription = () -> {};
  private String cursor;
  private boolean gap;
  private boolean answering;

  LongPoll(RoutingContext request, Topic topic) {
    this.request = request;
    this.topic = topic;
    this.cursor = Optional.ofNullable(request.queryParams().get("cursor")).orElse(topic.lastId());
  }

  void start() {
    subscription = topic.follow(Optional.of(cursor), this);
  }

  @Override
  public void message(String id, String message) {
    if (messages.size() < MESSAGES_MAX) {
      cursor = id;
      messages.add(new JsonObject().put("id", id).put("data", message));
      answerSoon();
    }
  }

  @Override
  public void gap(String id) {
    if (messages.isEmpty()) {
      cursor = id;
      gap = true;
      answerSoon();
    }
  }

  void timeOut() {
    if (!answering) {
      answering = true;
      subscription.cancel();
      request.response().setStatusCode(204).putHeader("roost-cursor", cursor);
      request.end(); // its failure means that the client is gone
    }
  }

  void ended() {
    answering = true;
    subscription.cancel();
  }

  /// What comes in the same turn goes out in the same answer.
  private void answerSoon() {
    if (!answering) {
      answering = true;
      request.vertx().runOnContext(_ -> answer());
    }
  }

  private void answer() {
    subscription.cancel();
    if (request.response().closed()) {
      return;
    }
    request
        .response()
        .putHeader("content-type", "application/json")
        .putHeader("cache-control", "no-store")
        .putHeader("roost-cursor", cursor);
    // its failure means that the client is gone
    request.end(
        new JsonObject()
            .put("cursor", cursor)
            .put("gap", gap)
            .put("messages", messages)
            .toBuffer());
  }
}
