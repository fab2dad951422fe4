package dev.roost.server.sse;

import dev.roost.server.flow.Cut;
import dev.roost.server.flow.Outbox;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One event stream to one client. Lives on the request's event loop; `send`, `comment`, `retry`
/// and `close` may be called from any thread.
public final class EventStream {

  /// RFC 9113, section 7: the stream is no longer needed.
  private static final long CANCEL = 8;

  private final RoutingContext request;
  private final HttpServerResponse response;
  private final Context loop;
  private final Outbox<String> outbox;
  private final Runnable shed;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final long heartbeat;
  private Handler<Void> closeHandler = _ -> {};
  private boolean closed;

  EventStream(RoutingContext request, EventStreams streams) {
    this.request = request;
    this.response = request.response();
    this.loop = request.vertx().getOrCreateContext();
    this.shed = streams::shed;
    this.outbox =
        new Outbox<>(response, streams.outboxMax(), text -> response.write(Buffer.buffer(text)));
    this.heartbeat = startHeartbeat(streams.heartbeat());
  }

  /// The request that is answered by this stream: path parameters, query, headers.
  public RoutingContext request() {
    return request;
  }

  /// Where a reconnecting client left off.
  public Optional<String> lastEventId() {
    return Optional.ofNullable(request.request().getHeader("Last-Event-ID"));
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
  public Future<Void> retry(Duration wait) {
    return offer("retry: " + wait.toMillis() + "\n\n");
  }

  /// Sends every message of `topic` after the client's last event id, then what is published; a gap
  /// in between arrives as an event of type `gap`.
  public EventStream follow(Topic topic) {
    subscriptions.add(
        topic.follow(
            lastEventId(),
            new Subscriber() {
              @Override
              public void message(String id, String message) {
                // a failure has already closed the stream
                send(new Event(message, Optional.of(id), Optional.empty()));
              }

              @Override
              public void gap(String id) {
                send(new Event("", Optional.of(id), Optional.of("gap")));
              }
            }));
    return this;
  }

  /// Called once, when the stream has ended, whoever ended it.
  public EventStream closed(Handler<Void> handler) {
    closeHandler = handler;
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
    closeHandler.handle(null);
  }

  private Future<Void> offer(String wire) {
    if (loop.equals(Vertx.currentContext())) {
      return offerOnLoop(wire);
    }
    return Future.future(done -> loop.runOnContext(_ -> offerOnLoop(wire).onComplete(done)));
  }

  private Future<Void> offerOnLoop(String wire) {
    return outbox
        .offer(wire)
        .onFailure(
            failure -> {
              if (failure instanceof Outbox.Shed refused && refused.full()) {
                shed.run();
                Cut.now(request, CANCEL);
                ended();
              }
            });
  }

  private long startHeartbeat(Duration every) {
    return request.vertx().setPeriodic(every.toMillis(), _ -> comment(""));
  }

  private void onLoop(Runnable action) {
    if (loop.equals(Vertx.currentContext())) {
      action.run();
    } else {
      loop.runOnContext(_ -> action.run());
    }
  }
}
