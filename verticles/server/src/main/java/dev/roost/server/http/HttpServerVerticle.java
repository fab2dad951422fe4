package dev.roost.server.http;

import dev.roost.server.flow.Deferred;
import dev.roost.server.guard.Connections;
import dev.roost.server.guard.Http1Guard;
import dev.roost.server.guard.Http2Streams;
import dev.roost.server.guard.SendTimeouts;
import dev.roost.server.listen.SharedPort;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.tls.Handshakes;
import dev.roost.server.tls.Tls;
import dev.roost.server.websocket.WebSockets;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.FormDecoderConfig;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.Http2ServerConfig;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.ObservabilityConfig;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpOption;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.ext.web.Router;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Serves one set of routes on one event loop. Deployed once per core; the instances share the
/// port. All fields are confined to this instance's event loop.
public final class HttpServerVerticle extends VerticleBase {

  /// Least time that a peer gets to acknowledge what it was sent: a few retransmissions (RFC 6298).
  private static final Duration UNACKNOWLEDGED_MIN = Duration.ofSeconds(10);

  /// Requests at once of one HTTP/2 connection; RFC 9113, 6.5.2 wants 100 or more. Long polls and
  /// event streams of one client share its connection.
  private static final long STREAMS_MAX = 1_000;

  /// A form's field is bounded by the body it is in.
  private static final int UNBOUNDED = -1;

  /// What the decoder of a form keeps of a part's head that has no end yet, and of what follows the
  /// closing boundary; beyond it 400. It looks through all of that again with every piece.
  private static final int FORM_UNDECODED_BYTES_MAX = 8 << 10;

  private final ServerSettings settings;
  private final RouteSource source;
  private final Shared shared;
  private final ServerMetrics metrics;
  private final RefusedConnections refused = new RefusedConnections();
  private SendTimeouts sendTimeouts;
  private IdleConnections idle;
  private HttpServer server;
  private Loop loop;
  private long ticks;
  private RouteSet routes;
  private @Nullable Future<?> stopped;

  /// @param shared the same for every instance
  @SuppressWarnings("NullAway.Init") // the rest is made by start()
  public HttpServerVerticle(ServerSettings settings, RouteSource source, Shared shared) {
    this.settings = settings;
    this.source = source;
    this.shared = shared;
    this.metrics = shared.metrics();
  }

  @Override
  public Future<?> start() {
    vertx.getOrCreateContext().put(Deferred.METRICS, metrics);
    loop = Loop.of(vertx, settings, shared);
    sendTimeouts = new SendTimeouts(vertx, settings.http(), metrics);
    idle = new IdleConnections(vertx, settings.http().keepAliveTimeout());
    return source
        .routes(vertx)
        .compose(
            mounted ->
                Future.succeededFuture(mounted)
                    .compose(this::listen)
                    .recover(
                        failure -> mounted.close().transform(_ -> Future.failedFuture(failure))));
  }

  /// Ends streams, sockets and polls, lets requests in flight finish within the drain timeout.
  @Override
  public Future<?> stop() {
    if (stopped == null) { // Vert.x asks twice where another instance has failed
      shared.parking().close();
      loop.close();
      vertx.cancelTimer(ticks);
      var drain = settings.shutdown().drainTimeout();
      var over = vertx.setTimer(Math.max(1, drain.toMillis()), _ -> cutAll());
      stopped =
          server
              .shutdown(drain)
              .onComplete(_ -> vertx.cancelTimer(over))
              .onComplete(_ -> loop.placement().stop())
              .eventually(routes::close);
    }
    return stopped;
  }

  /// The port it listens on, once started.
  public int port() {
    return server.actualPort();
  }

  private Future<HttpServer> listen(RouteSet mounted) {
    routes = mounted;
    server =
        vertx
            .httpServerBuilder()
            .with(serverConfig())
            .with(Tls.options(settings.tls()))
            .with(Tls.engine(settings.tls(), shared.tickets()))
            .build()
            .connectionHandler(this::count)
            .invalidRequestHandler(PlainAnswers::unreadable)
            .requestHandler(handler(MountedRoutes.on(vertx, loop, mounted)));
    var watch = loop.shared().watch();
    ticks = vertx.setPeriodic(watch.tick().toMillis(), _ -> watch.turned(loop.watched()));
    return server
        .listen(address())
        .recover(
            failure ->
                Future.failedFuture(
                    StartRefusal.ofBind("server.port", settings.listen().address(), failure)));
  }

  /// The drain timeout is over: Vert.x closes what is open still, but would wait for those who do
  /// not answer a close frame, and for those who do not take their last bytes.
  private void cutAll() {
    loop.sockets().cut();
    sendTimeouts.cutAll();
  }

  private Handler<HttpServerRequest> handler(Router router) {
    return request -> {
      if (refused.answered(request)) {
        return;
      }
      router.handle(request.method().equals(HttpMethod.HEAD) ? new HeadRequest(request) : request);
    };
  }

  /// With port 0 each instance would get a port of its own, were the address not a shared one.
  private SocketAddress address() {
    var listen = settings.listen();
    return listen.port() == 0
        ? SocketAddress.sharedRandomPort(1, listen.host())
        : SocketAddress.inetSocketAddress(listen.port(), listen.host());
  }

  private HttpServerConfig serverConfig() {
    var config =
        new HttpServerConfig()
            .setVersions(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)
            // every request has a span where there is a tracer
            .setObservabilityConfig(
                new ObservabilityConfig().setTracingPolicy(TracingPolicy.ALWAYS))
            .setIdleTimeout(settings.http().keepAliveTimeout());
    config.setFormDecoderConfig(
        new FormDecoderConfig()
            .setMaxAttributeSize(UNBOUNDED)
            .setMaxBufferedBytes(FORM_UNDECODED_BYTES_MAX));
    config.getTcpConfig().setAcceptBacklog(SharedPort.ACCEPT_BACKLOG);
    config.getTcpConfig().getTransportConfig().setSoReusePort(settings.listen().inherited());
    config
        .getTcpConfig()
        .getTransportConfig()
        .setOption(TcpOption.USER_TIMEOUT, Math.toIntExact(unacknowledgedMax().toMillis()));
    var headerBytesMax = settings.http().headerBytesMax();
    return config
        .setHttp1Config(new Http1ServerConfig().setMaxHeaderSize(headerBytesMax))
        .setHttp2Config(
            new Http2ServerConfig()
                .setInitialSettings(
                    new Http2Settings()
                        .setMaxHeaderListSize(headerBytesMax)
                        .setMaxConcurrentStreams(STREAMS_MAX)))
        .setWebSocketConfig(WebSockets.config(settings.webSocket()));
  }

  /// After two heartbeats without an acknowledgement the kernel gives a connection up (RFC 5482):
  /// the peer is gone without a word, though there was room for what was written to it.
  private Duration unacknowledgedMax() {
    var two = settings.streams().heartbeat().multipliedBy(2);
    return two.compareTo(UNACKNOWLEDGED_MIN) < 0 ? UNACKNOWLEDGED_MIN : two;
  }

  private void count(HttpConnection connection) {
    var protocol =
        switch (connection.protocolVersion()) {
          case HTTP_1_0, HTTP_1_1 -> "http1";
          case HTTP_2 -> "http2";
          case HTTP_3 -> "http3";
        };
    var woken = Connections.hasWoken(connection);
    var admitted = woken || shared.admission().enter(shared.parking().hasRoom());
    if (admitted) {
      Connections.onClose(connection, shared.admission()::left);
    } else {
      refused.add(vertx, connection);
    }
    if (!woken) {
      Handshakes.count(connection, metrics);
      metrics.connectionOpened(protocol);
    }
    sendTimeouts.watch(connection);
    idle.watch(connection);
    Connections.onClose(connection, () -> closed(connection, protocol));
    if (protocol.equals("http1")) {
      Http1Guard.watch(connection, settings.pipeline());
    } else {
      Http2Streams.watch(connection);
    }
    if (admitted) {
      shared.parking().watch(connection);
    }
  }

  /// A WebSocket was counted out of its protocol when it was opened.
  private void closed(HttpConnection connection, String protocol) {
    if (!Http1Guard.of(connection).map(Http1Guard::isUpgraded).orElse(false)) {
      metrics.connectionClosed(protocol);
    }
  }
}
