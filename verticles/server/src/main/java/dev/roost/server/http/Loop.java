package dev.roost.server.http;

import dev.roost.server.flow.Continuations;
import dev.roost.server.flow.Draining;
import dev.roost.server.flow.Placement;
import dev.roost.server.flow.VirtualThreads;
import dev.roost.server.longpoll.LongPolls;
import dev.roost.server.reactor.WatchedLoop;
import dev.roost.server.settings.Mode;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StreamSettings;
import dev.roost.server.sse.EventStreams;
import dev.roost.server.websocket.WebSockets;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.function.Predicate;

/// What one instance holds open on its event loop. Confined to it.
///
/// @param settings of the server
/// @param shared what all instances have in common
/// @param turn the first handler of every request
/// @param placement where handlers run
/// @param sockets open WebSockets
/// @param streams open event streams
/// @param polls waiting long polls
/// @param watched whether it turns
/// @param draining whether its last requests are being answered
record Loop(
    ServerSettings settings,
    Shared shared,
    Turn turn,
    Placement placement,
    WebSockets sockets,
    EventStreams streams,
    LongPolls polls,
    WatchedLoop watched,
    Draining draining) {

  /// Called on the loop.
  static Loop of(Vertx vertx, ServerSettings settings, Shared shared) {
    var continuations = new Continuations(settings.reactor().continuationsMax(), shared.metrics());
    var draining = new Draining();
    var requests = shared.metrics().requestMeter();
    var watched = shared.watch().add();
    var turn = new Turn(continuations, draining, requests, watched);
    var placement = placement(vertx, settings.mode(), turn::leave);
    var keepAlive = settings.http().keepAliveTimeout();
    return new Loop(
        settings,
        shared,
        turn,
        placement,
        new WebSockets(
            settings.webSocket(),
            settings.blocking(),
            new WebSockets.Surroundings(
                shared.blocking(), shared.metrics(), requests, continuations, placement)),
        new EventStreams(within(settings.streams(), keepAlive), shared.metrics(), placement),
        new LongPolls(
            within(settings.streams(), keepAlive).pollTimeout(), shared.metrics(), placement),
        watched,
        draining);
  }

  /// Ends everything that would otherwise stay open for ever.
  void close() {
    draining.begin();
    streams.close();
    sockets.close();
    polls.close();
    shared.watch().remove(watched);
  }

  private static Placement placement(Vertx vertx, Mode mode, Predicate<RoutingContext> leaving) {
    return switch (mode) {
      case REACTOR -> Placement.EVENT_LOOP;
      case CLASSIC -> new VirtualThreads(vertx, leaving);
    };
  }

  /// A stream's heartbeat must come before the connection's idle timeout does.
  private static StreamSettings within(StreamSettings streams, Duration keepAlive) {
    return new StreamSettings(
        shorter(streams.heartbeat(), keepAlive),
        streams.outboxEventsMax(),
        shorter(streams.pollTimeout(), keepAlive),
        streams.topics());
  }

  private static Duration shorter(Duration wanted, Duration keepAlive) {
    var bound = keepAlive.dividedBy(2);
    return wanted.compareTo(bound) < 0 ? wanted : bound;
  }
}
