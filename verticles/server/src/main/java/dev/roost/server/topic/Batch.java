package dev.roost.server.topic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Messages of a topic, one after the other: the same object for all followers of an event loop
/// that are at the same place, so that what is made of them is made once. Confined to its loop.
public final class Batch {

  private final List<TopicMessage> messages;
  private final long last;
  private final Map<Function<List<TopicMessage>, ?>, Object> forms = new HashMap<>(2);

  /// @param messages one or more
  /// @param last number of the last one
  Batch(List<TopicMessage> messages, long last) {
    this.messages = messages;
    this.last = last;
  }

  /// The messages, oldest first; never empty.
  public List<TopicMessage> messages() {
    return messages;
  }

  /// The id of the last one, after which a follower goes on.
  public String lastId() {
    return messages.getLast().id();
  }

  /// What `form` makes of the messages.
  ///
  /// @param form a constant, by which what it made is known: it is called once for all followers
  @SuppressWarnings("unchecked") // what is kept under a form was made by it
  public <T> T as(Function<List<TopicMessage>, T> form) {
    return (T) forms.computeIfAbsent(form, made -> made.apply(messages));
  }

  /// The place of a follower that has got them.
  long last() {
    return last;
  }
}
