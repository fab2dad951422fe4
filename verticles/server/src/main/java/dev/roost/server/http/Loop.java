package dev.roost.server.http;

import dev.roost.server.flow.Continuations;
import dev.roost.server.flow.Draining;
import dev.roost.server.longpoll.LongPolls;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StreamSettings;
import dev.roost.server.settings.WebSocketSettings;
import dev.roost.server.sse.EventStreams;
import dev.roost.server.websocket.WebSockets;
import java.time.Duration;

/// What one instance holds open on its event loop. Confined to it.
///
/// @param settings of the server
/// @param shared what all instances have in common
/// @param continuations requests waiting for their answer
/// @param sockets open WebSockets
/// @param streams open event streams
/// @param polls waiting long polls
/// @param draining whether its last requests are being answered
record Loop(
    ServerSettings settings,
    Shared shared,
    Continuations continuations,
    WebSockets sockets,
    EventStreams streams,
    LongPolls polls,
    Draining draining) {

  static Loop of(ServerSettings settings, Shared shared) {
    var continuations = new Continuations(settings.reactor().continuationsMax(), shared.metrics());
    var keepAlive = settings.http().keepAliveTimeout();
    return new Loop(
        settings,
        shared,
        continuations,
        new WebSockets(
            within(settings.webSocket(), keepAlive),
            settings.blocking(),
            new WebSockets.Surroundings(shared.blocking(), shared.metrics(), continuations)),
        new EventStreams(within(settings.streams(), keepAlive), shared.metrics()),
        new LongPolls(within(settings.streams(), keepAlive).pollTimeout(), shared.metrics()),
        new Draining());
  }

  /// Ends everything that would otherwise stay open for ever.
  void close() {
    draining.begin();
    streams.close();
    sockets.close();
    polls.close();
  }

  /// A stream's heartbeat must come before the connection's idle timeout does.
  private static StreamSettings within(StreamSettings streams, Duration keepAlive) {
    return new StreamSettings(
        shorter(streams.heartbeat(), keepAlive),
        streams.outboxEventsMax(),
        shorter(streams.pollTimeout(), keepAlive),
        streams.topics());
  }

  private static WebSocketSettings within(WebSocketSettings sockets, Duration keepAlive) {
    return new WebSocketSettings(
        sockets.frameBytesMax(),
        sockets.messageBytesMax(),
        sockets.idleTimeout(),
        max(shorter(sockets.ping(), keepAlive), Duration.ofSeconds(1)),
        sockets.outboxMessagesMax());
  }

  private static Duration shorter(Duration wanted, Duration keepAlive) {
    var bound = keepAlive.dividedBy(2);
    return wanted.compareTo(bound) < 0 ? wanted : bound;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
