package dev.roost.server.topic;

/// A topic would grow beyond its bounds. A handler that lets it pass answers with its status.
public final class TopicRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;

  private TopicRefusal(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  static TopicRefusal tooBig(long bytes, long bytesMax) {
    return new TopicRefusal(
        413, "topic.message-size: a message of %d bytes is above %d".formatted(bytes, bytesMax));
  }

  static TopicRefusal tooMany(int topicsMax) {
    return new TopicRefusal(503, "there are %d topics in use already".formatted(topicsMax));
  }

  /// It is not passed on to other processes: it is too large for that (413).
  public static TopicRefusal tooBigToPassOn(int bytes, int bytesMax) {
    return new TopicRefusal(
        413, "between processes a message of %d bytes is above %d".formatted(bytes, bytesMax));
  }

  /// It is not passed on to other processes: too much waits for that already, or they are gone
  /// (503).
  public static TopicRefusal notPassedOn() {
    return new TopicRefusal(503, "too many messages wait to be passed on to other processes");
  }

  /// The HTTP status: 413 or 503.
  public int status() {
    return status;
  }
}
