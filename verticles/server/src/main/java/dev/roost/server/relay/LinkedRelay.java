package dev.roost.server.relay;

import dev.roost.server.link.Frame;
import dev.roost.server.link.FrameKind;
import dev.roost.server.link.Link;
import dev.roost.server.topic.TopicOrder;
import dev.roost.server.topic.TopicRefusal;
import dev.roost.server.topic.Topics;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// A worker's end: says to the supervisor, and hears from it. Thread-safe; what comes is handled on
/// the link's loop.
public final class LinkedRelay implements Relay, TopicOrder {

  /// Messages published and not in order yet; beyond it publishing is refused with 503.
  private static final int PENDING_MAX = 65_536;

  private final Link link;
  private final Channels channels = new Channels();
  private final Map<Long, Promise<Long>> pending = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private final Promise<Void> joined = Promise.promise();
  private volatile Optional<Topics> topics = Optional.empty();
  private volatile boolean closed;
  private long behind;

  /// @param link whose frames are given to [#received(Frame)]
  public LinkedRelay(Link link) {
    this.link = link;
  }

  /// Handles TOPICS, MESSAGE, GONE, ORDERED, BROADCAST and LOST. Called on the link's loop.
  public void received(Frame frame) {
    var body = frame.body();
    switch (frame.kind()) {
      case TOPICS -> began(body);
      case MESSAGE -> ordered(body);
      case GONE -> gone(body);
      case ORDERED -> acknowledged(body.getLong(0), body.getLong(Long.BYTES));
      case BROADCAST -> channels.heard(Note.decoded(body));
      case LOST -> channels.lost();
      default -> throw new IllegalArgumentException("not the relay's: " + frame.kind());
    }
  }

  /// The supervisor has gone.
  public void closed() {
    closed = true;
    joined.tryFail(TopicRefusal.notPassedOn());
    pending.keySet().forEach(this::refuse);
  }

  @Override
  public boolean broadcast(String channel, Buffer note) {
    var encoded = Note.of(channel, note).encoded();
    return !closed && link.send(new Frame(FrameKind.BROADCAST, encoded));
  }

  @Override
  public void on(String channel, Listener listener) {
    channels.add(channel, listener);
  }

  @Override
  public Optional<TopicOrder> order() {
    return Optional.of(this);
  }

  @Override
  public Future<Void> join(Topics ours) {
    topics = Optional.of(ours);
    link.send(Frame.of(FrameKind.JOIN));
    return joined.future();
  }

  @Override
  public Future<Long> publish(String topic, String text) {
    var post = Post.of(topic, text);
    if (post.bytes() > Post.BYTES_MAX) {
      return Future.failedFuture(TopicRefusal.tooBigToPassOn(post.bytes(), Post.BYTES_MAX));
    }
    if (closed || pending.size() >= PENDING_MAX) {
      return Future.failedFuture(TopicRefusal.notPassedOn());
    }
    var request = requests.incrementAndGet();
    var promise = Promise.<Long>promise();
    pending.put(request, promise);
    if (!link.send(post.published(request)) || closed) {
      refuse(request);
    }
    return promise.future();
  }

  private void refuse(long request) {
    var promise = pending.remove(request);
    if (promise != null) {
      promise.fail(TopicRefusal.notPassedOn());
    }
  }

  private void began(Buffer body) {
    behind = body.getLong(0);
    var forgotten = body.getLong(Long.BYTES);
    var run = body.getString(2 * Long.BYTES, body.length());
    topics.ifPresent(ours -> ours.in(run, forgotten));
    caughtUp(0);
  }

  private void ordered(Buffer body) {
    var number = body.getLong(0);
    var previous = body.getLong(Long.BYTES);
    var request = body.getLong(2 * Long.BYTES);
    var post = Post.in(body, 3 * Long.BYTES);
    topics.ifPresent(ours -> ours.append(post.topic(), number, previous, post.text()));
    caughtUp(number);
    acknowledged(request, number);
  }

  private void acknowledged(long request, long number) {
    var promise = pending.remove(request);
    if (promise != null) {
      promise.complete(number);
    }
  }

  private void gone(Buffer body) {
    var number = body.getLong(0);
    topics.ifPresent(ours -> ours.gone(body.getString(Long.BYTES, body.length()), number));
    caughtUp(number);
  }

  private void caughtUp(long number) {
    if (number >= behind) {
      joined.tryComplete();
    }
  }
}
