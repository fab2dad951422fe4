package dev.roost.server.settings;

import java.time.Duration;

/// All settings of the server. Immutable.
///
/// @param mode where handlers run
/// @param listen where it listens
/// @param tls its certificate and key
/// @param park what becomes of idle connections, and of memory
/// @param http bounds of a request
/// @param pipeline how pipelined requests are served
/// @param reactor event loops and what may wait on them
/// @param webSocket bounds of a WebSocket
/// @param blocking bounds of what runs off the loops
/// @param streams event streams, long polls and topics
/// @param shutdown how it stops
public record ServerSettings(
    Mode mode,
    ListenSettings listen,
    TlsSettings tls,
    ParkSettings park,
    HttpSettings http,
    PipelineSettings pipeline,
    ReactorSettings reactor,
    WebSocketSettings webSocket,
    BlockingSettings blocking,
    StreamSettings streams,
    ShutdownSettings shutdown) {

  /// The built-in defaults of the design, on two free loopback ports, with one instance.
  public static ServerSettings loopback(TlsSettings tls) {
    return new ServerSettings(
        Mode.REACTOR,
        ListenSettings.loopback(),
        tls,
        ParkSettings.builtIn(),
        new HttpSettings(8 << 10, 10L << 20, Duration.ofSeconds(60), Duration.ofSeconds(30)),
        new PipelineSettings(16, 16, 256 << 10),
        ReactorSettings.of(1),
        WebSocketSettings.builtIn(),
        new BlockingSettings(10_000, 64),
        new StreamSettings(Duration.ofSeconds(15), 256, Duration.ofSeconds(25), 1_024),
        new ShutdownSettings(Duration.ZERO, Duration.ofSeconds(20)));
  }

  /// The same in another mode.
  public ServerSettings with(Mode mode) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with other event loops.
  public ServerSettings with(ReactorSettings reactor) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with another way to park.
  public ServerSettings with(ParkSettings park) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with another certificate, or other tickets.
  public ServerSettings with(TlsSettings tls) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with other addresses.
  public ServerSettings with(ListenSettings listen) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with other streams.
  public ServerSettings with(StreamSettings streams) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with other bounds of a request.
  public ServerSettings with(HttpSettings http) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with another way to serve pipelined requests.
  public ServerSettings with(PipelineSettings pipeline) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with other bounds of a WebSocket.
  public ServerSettings with(WebSocketSettings webSocket) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with other bounds of what runs off the loops.
  public ServerSettings with(BlockingSettings blocking) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }

  /// The same with another way to stop.
  public ServerSettings with(ShutdownSettings shutdown) {
    return new ServerSettings(
        mode, listen, tls, park, http, pipeline, reactor, webSocket, blocking, streams, shutdown);
  }
}
