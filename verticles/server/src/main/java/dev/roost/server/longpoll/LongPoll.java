package dev.roost.server.longpoll;

import dev.roost.server.topic.Batch;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import dev.roost.server.topic.TopicMessage;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// One request that waits for news. Confined to its event loop.
final class LongPoll implements Subscriber {

  private static final Function<List<TopicMessage>, String> JSON = LongPoll::json;

  private final RoutingContext request;
  private final Topic topic;
  private Subscription subscription = Subscription.none();
  private String cursor;
  private String messages = "";
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

  /// One batch makes an answer; the rest comes with the next poll.
  @Override
  public boolean ready() {
    return messages.isEmpty();
  }

  @Override
  public void messages(Batch batch) {
    cursor = batch.lastId();
    messages = batch.as(JSON);
    answerSoon();
  }

  @Override
  public void gap(String id) {
    cursor = id;
    gap = true;
    answerSoon();
  }

  /// After what its topic has for it already.
  void timeOutSoon() {
    request.vertx().runOnContext(_ -> timeOut());
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
        "{\"cursor\":\"%s\",\"gap\":%s,\"messages\":[%s]}".formatted(cursor, gap, messages));
  }

  private static String json(List<TopicMessage> messages) {
    return messages.stream()
        .map(message -> new JsonObject().put("id", message.id()).put("data", message.text()))
        .map(JsonObject::encode)
        .collect(Collectors.joining(","));
  }
}
