package dev.roost.server.sse;

import dev.roost.server.flow.Cut;
import dev.roost.server.flow.Handover;
import dev.roost.server.flow.Outbox;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import dev.roost.server.topic.TopicRefusal;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// One event stream to one client. Lives on the request's event loop; `send`, `comment`, `retry`
/// and `close` may be called from any thread.
///
/// While nothing else is sent, a comment goes out every `sse.heartbeat`. A client that takes
/// nothing of what was written for a whole heartbeat is cut at the end of it, which is at most two
/// heartbeats after it took the last byte.
public final class EventStream {

  private static final Logger LOG = System.getLogger(EventStream.class.getName());

  /// RFC 9113, section 7: the stream is no longer needed.
  private static final long CANCEL = 8;

  private final RoutingContext request;
  private final HttpServerResponse response;
  private final ContextInternal loop;
  private final EventStreams streams;
  private final Outbox<Buffer> outbox;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final long heartbeat;
  private final AtomicReference<Handler<Void>> closeHandler = new AtomicReference<>(_ -> {});
  private boolean closed;

  /// Offered, and taken or given up: what lies between is on its way.
  private long offered;

  private long settled;

  /// As they were at the last heartbeat.
  private long offeredBefore;

  private long settledBefore;

  private final Handover handover;

  EventStream(RoutingContext request, EventStreams streams) {
    this.request = request;
    this.response = request.response();
    this.loop = (ContextInternal) request.vertx().getOrCreateContext();
    this.streams = streams;
    this.handover = new Handover(streams.outboxMax());
    this.outbox = new Outbox<>(response, streams.outboxMax(), new EventWire(request));
    this.heartbeat =
        request.vertx().setPeriodic(streams.heartbeatEvery().toMillis(), _ -> heartbeat());
  }

  /// The request that is answered by this stream: path parameters, query, headers.
  public RoutingContext request() {
    return request;
  }

  /// Where a reconnecting client left off.
  public Optional<String> lastEventId() {
    return Optional.ofNullable(request.request().getHeader("Last-Event-ID"))
        .filter(id -> !id.isBlank());
  }

  /// Sends an event of the default type.
  public Future<Void> send(String data) {
    return send(Event.of(data));
  }

  /// Sends one event.
  ///
  /// @return completes when it is written; fails with [Outbox.Shed] when the client is gone, or so
  ///   slow that its outbox is full: then the stream is closed
  public Future<Void> send(Event event) {
    return offer(event.encoded());
  }

  /// Sends a comment, which clients ignore and proxies count as life.
  public Future<Void> comment(String text) {
    return offer(Event.comment(text));
  }

  /// Tells the client how long to wait before it reconnects.
  ///
  /// @param wait 0 or more, told in milliseconds
  public Future<Void> retry(Duration wait) {
    if (wait.isNegative()) {
      throw new IllegalArgumentException("retry: %s is negative".formatted(wait));
    }
    return offer("retry: " + wait.toMillis() + "\n\n");
  }

  /// Sends every message of `topic` after the client's last event id, then what is published; a gap
  /// in between arrives as an event of type `gap`. A client without an id is told where it stands,
  /// so that it misses nothing when it comes back before the first event.
  ///
  /// The client's pace is kept: what it has not taken yet stays in the topic, not in the outbox.
  /// Ids are those of one topic: to a second one that the same stream follows a client comes back
  /// with an id that is not its own, and that is a gap. Where the topic would be one too many the
  /// stream is broken off.
  public EventStream follow(Topic topic) {
    onLoop(() -> followOnLoop(topic));
    return this;
  }

  /// Called once, when the stream has ended, whoever ended it; at once if it has already.
  public EventStream closed(Handler<Void> handler) {
    closeHandler.set(handler);
    onLoop(
        () -> {
          if (closed) {
            tellClosed();
          }
        });
    return this;
  }

  /// Ends the stream after what was sent.
  public void close() {
    onLoop(
        () -> {
          outbox.flush();
          ended(); // first, since the end of the last answer may complete a shutdown at once
          if (!response.ended() && !response.closed()) {
            response.end(); // a failure here means that the client is gone
          }
        });
  }

  /// Gives back what the stream holds; doing so twice is harmless.
  void ended() {
    if (closed) {
      return;
    }
    closed = true;
    request.vertx().cancelTimer(heartbeat);
    subscriptions.forEach(Subscription::cancel);
    outbox.close();
    tellClosed();
  }

  /// What an application throws is its bug, and must not keep others from being told.
  private void tellClosed() {
    var handler = closeHandler.getAndSet(_ -> {});
    streams
        .placement()
        .handle(
            request,
            () -> {
              try {
                handler.handle(null);
              } catch (RuntimeException failure) {
                LOG.log(Level.ERROR, "a close handler of an event stream failed", failure);
              }
            });
  }

  private void followOnLoop(Topic topic) {
    if (closed) {
      return;
    }
    try {
      var from = lastEventId().orElseGet(() -> positioned(topic.lastId()));
      var following = new Following(this::take);
      following.by(topic.follow(Optional.of(from), following));
      subscriptions.add(following.subscription());
    } catch (TopicRefusal refusal) {
      LOG.log(Level.DEBUG, "a topic refused", refusal); // it is counted
      Cut.half(request);
    }
  }

  private String positioned(String id) {
    offer(Event.position(id)); // a failure means that the client is gone
    return id;
  }

  private Future<Void> offer(String wire) {
    var bytes = Buffer.buffer(wire);
    return loop.inThread() ? take(bytes) : handOver(bytes);
  }

  private Future<Void> handOver(Buffer wire) {
    if (!handover.enter()) {
      loop.runOnContext(_ -> cutShed());
      return Future.failedFuture(Outbox.Shed.tooSlow());
    }
    return Future.<Void>future(done -> loop.runOnContext(_ -> take(wire).onComplete(done)))
        .onComplete(_ -> handover.leave());
  }

  private Future<Void> take(Buffer wire) {
    offered++;
    return outbox
        .offer(wire)
        .onComplete(
            _ -> settled++,
            failure -> {
              settled++;
              if (failure instanceof Outbox.Shed refused && refused.full()) {
                cutShed();
              }
            });
  }

  private void cutShed() {
    if (!closed) {
      streams.shed();
      cut();
    }
  }

  private void cut() {
    Cut.now(request, CANCEL);
    ended();
  }

  private void heartbeat() {
    var waited = settledBefore < offeredBefore;
    if (waited && settled == settledBefore) {
      streams.stalled();
      cut();
      return;
    }
    if (offered == offeredBefore) {
      take(streams.heartbeat()); // a failure has closed the stream
    }
    offeredBefore = offered;
    settledBefore = settled;
  }

  private void onLoop(Runnable action) {
    if (loop.inThread()) {
      action.run();
    } else {
      loop.runOnContext(_ -> action.run());
    }
  }
}
