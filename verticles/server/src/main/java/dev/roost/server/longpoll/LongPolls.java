package dev.roost.server.longpoll;

import dev.roost.server.flow.Placement;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.topic.Topic;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/// The long polls waiting on one event loop. Confined to it.
///
/// A poll is `GET path?cursor=ID`. Its answer is 200 with
/// `{"cursor":ID,"gap":false,"messages":[{"id":ID,"data":TEXT}]}` as soon as there is a message
/// after the cursor, with those of one batch (64 at most); or 204 at the timeout; either way the
/// header `Roost-Cursor` has the cursor for the next poll. Without a cursor it waits for what is
/// published from now on. `gap` is true when messages between the cursor and the first one here are
/// gone from the topic's history.
public final class LongPolls {

  private final Duration timeout;
  private final ServerMetrics metrics;
  private final Placement placement;
  private final Set<LongPoll> waiting = new LinkedHashSet<>();
  private boolean closing;

  /// @param timeout how long a poll waits for news
  /// @param placement where what the application does runs
  public LongPolls(Duration timeout, ServerMetrics metrics, Placement placement) {
    this.timeout = timeout;
    this.metrics = metrics;
    this.placement = placement;
  }

  /// A handler that waits for news of the topic that `topic` finds for the request.
  public Handler<RoutingContext> serve(Function<RoutingContext, Topic> topic) {
    return request ->
        placement.handle(
            request,
            () -> {
              var found = topic.apply(request);
              placement.serve(request, () -> start(request, found));
            });
  }

  /// Answers every poll now, as if its time were up, and each that may still come.
  public void close() {
    closing = true;
    Set.copyOf(waiting).forEach(LongPoll::timeOutSoon);
  }

  private void start(RoutingContext request, Topic topic) {
    if (request.response().closed()) {
      return; // the client left while its topic was looked for
    }
    var poll = new LongPoll(request, topic);
    waiting.add(poll);
    metrics.longPollStarted();
    var timer = request.vertx().setTimer(timeout.toMillis(), _ -> poll.timeOut());
    request.addEndHandler(
        _ -> {
          request.vertx().cancelTimer(timer);
          poll.ended();
          waiting.remove(poll);
          metrics.longPollEnded();
        });
    poll.start();
    if (closing) {
      poll.timeOutSoon();
    }
  }
}
