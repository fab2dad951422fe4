package dev.roost.server.websocket;

import dev.roost.server.flow.BlockingVerticle;
import dev.roost.server.flow.Continuations;
import dev.roost.server.flow.Cut;
import dev.roost.server.flow.Placement;
import dev.roost.server.guard.WebSocketFrames;
import dev.roost.server.metrics.RequestMeter;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.BlockingSettings;
import dev.roost.server.settings.WebSocketSettings;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketServerConfig;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/// The open WebSockets of one event loop. Confined to it.
public final class WebSockets {

  private static final Logger LOG = System.getLogger(WebSockets.class.getName());

  private final WebSocketSettings settings;
  private final BlockingSettings blockingSettings;
  private final BlockingVerticle blocking;
  private final ServerMetrics metrics;
  private final RequestMeter requests;
  private final Continuations continuations;
  private final Placement placement;
  private final Handshake handshake;
  private final Set<OpenSocket> open = new LinkedHashSet<>();
  private boolean closing;

  /// What a loop's sockets share with the rest of the server.
  ///
  /// @param blocking where blocking handlers run
  /// @param metrics what is counted
  /// @param requests of the same loop
  /// @param continuations of the same loop: an upgrade waits for its answer too
  /// @param placement where handlers of asynchronous sockets run
  public record Surroundings(
      BlockingVerticle blocking,
      ServerMetrics metrics,
      RequestMeter requests,
      Continuations continuations,
      Placement placement) {}

  /// One way to serve sockets.
  ///
  /// @param label in the metrics
  /// @param session made of what was opened
  private record Kind(String label, Function<OpenSocket, Session> session) {}

  public WebSockets(
      WebSocketSettings settings, BlockingSettings blockingSettings, Surroundings around) {
    this.settings = settings;
    this.blockingSettings = blockingSettings;
    this.blocking = around.blocking();
    this.metrics = around.metrics();
    this.requests = around.requests();
    this.continuations = around.continuations();
    this.placement = around.placement();
    this.handshake = new Handshake(new Origins(settings.origins()));
  }

  /// Vert.x's part of it. Compression is negotiated here, not there.
  public static WebSocketServerConfig config(WebSocketSettings settings) {
    return new WebSocketServerConfig()
        .setMaxFrameSize(settings.frameBytesMax())
        .setMaxMessageSize(settings.messageBytesMax())
        .setClosingTimeout(OpenSocket.HANDSHAKE_MAX)
        .setUseUnmaskedFrames(false)
        .setUsePerFrameCompression(false)
        .setUsePerMessageCompression(false);
  }

  /// Stands before the filters: a handshake waits while they do, or its end would be missed.
  public static void hold(RoutingContext request) {
    var http = request.request();
    if (http.method().equals(HttpMethod.GET) && http.headers().contains(HttpHeaders.UPGRADE)) {
      http.pause();
    }
  }

  /// A handler that upgrades the request and hands the socket to `handler` on this loop.
  ///
  /// @param subprotocols what the route speaks
  public Handler<RoutingContext> async(List<String> subprotocols, Handler<AsyncSocket> handler) {
    var kind =
        new Kind(
            "async",
            socket -> placed(new AsyncSocket(socket, settings, handler, this::outboxShed)));
    return request -> {
      if (!refuses(request)) {
        upgrade(request, subprotocols, kind);
      }
    };
  }

  /// A handler that upgrades the request and runs `handler` on a virtual thread of its own; 503
  /// where `blocking.handlers` run already.
  ///
  /// @param subprotocols what the route speaks
  public Handler<RoutingContext> blocking(
      List<String> subprotocols, BlockingSocketHandler handler) {
    return request -> {
      if (refuses(request)) {
        return;
      }
      var opened = new CompletableFuture<BlockingSocket>();
      if (blocking.run(() -> serve(opened, handler))) {
        upgrade(request, subprotocols, new Kind("blocking", socket -> session(socket, opened)))
            .onFailure(opened::completeExceptionally);
      } else {
        unavailable(request);
      }
    };
  }

  /// Closes every socket with 1001; those that would still open are refused with 503.
  public void close() {
    closing = true;
    Set.copyOf(open)
        .forEach(socket -> socket.close(CloseReason.GOING_AWAY, "the server is stopping"));
  }

  /// Cuts every socket whose close handshake is not over.
  public void cut() {
    Set.copyOf(open).forEach(socket -> Cut.connection(socket.request()));
  }

  private Session placed(AsyncSocket socket) {
    return placement.isEventLoop() ? socket : new PlacedSession(socket, placement);
  }

  private Future<ServerWebSocket> upgrade(
      RoutingContext request, List<String> subprotocols, Kind kind) {
    var start = System.nanoTime();
    var agreed = Upgrade.of(request, subprotocols, settings.compression());
    return request
        .request()
        .toWebSocket()
        .onSuccess(
            socket -> {
              continuations.answered(request);
              requests.ended("GET", 101, System.nanoTime() - start);
              start(agreed, socket, kind);
            })
        .onFailure(failure -> request.fail(400, failure));
  }

  private void start(Upgrade agreed, ServerWebSocket socket, Kind kind) {
    var bounds = new WebSocketFrames.Bounds(settings.frameBytesMax(), settings.messageBytesMax());
    var opened = new OpenSocket(agreed, socket, bounds);
    var session = kind.session().apply(opened);
    var liveness = new Liveness(opened, settings, session);
    opened.session(session);
    open.add(opened);
    metrics.webSocketOpened(kind.label());
    metrics.connectionClosed("http1"); // it is a WebSocket from now on
    metrics.connectionOpened("websocket");
    socket.frameHandler(assembler(opened, session));
    socket.exceptionHandler(
        failure -> LOG.log(Level.DEBUG, "a WebSocket's connection failed", failure));
    socket.closeHandler(
        _ -> {
          liveness.stop();
          open.remove(opened);
          metrics.webSocketClosed(kind.label(), opened.closeCode());
          metrics.connectionClosed("websocket");
          session.closed(opened.gone());
        });
    liveness.start();
    run(opened, session::opened);
  }

  /// Answers a request that cannot become a socket, or not any more: the server stops.
  ///
  /// @return whether it was answered
  private boolean refuses(RoutingContext request) {
    if (closing) {
      unavailable(request);
      return true;
    }
    return handshake.refuses(request);
  }

  private static void unavailable(RoutingContext request) {
    request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
    request.fail(503);
  }

  private Assembler assembler(OpenSocket opened, Session session) {
    return new Assembler(
        opened,
        settings.messageBytesMax(),
        message -> {
          opened.moved();
          run(opened, () -> session.received(message));
        });
  }

  /// What an application throws is its bug, and the client's connection ends with it.
  static void run(OpenSocket socket, Runnable handler) {
    try {
      handler.run();
    } catch (Throwable failure) { // an Error, too, must not leave the client without a handler
      LOG.log(Level.ERROR, "a WebSocket handler failed", failure);
      socket.close(CloseReason.INTERNAL_ERROR, "internal error");
    }
  }

  private BlockingSocket session(OpenSocket socket, CompletableFuture<BlockingSocket> opened) {
    return new BlockingSocket(
        socket, blockingSettings.inboxMessagesMax(), settings.messageBytesMax(), opened);
  }

  private static void serve(
      CompletableFuture<BlockingSocket> opened, BlockingSocketHandler handler) {
    try {
      serve(opened.get(), handler);
    } catch (InterruptedException | ExecutionException _) {
      Thread.currentThread().interrupt(); // the client left, or the server stops: nothing to serve
    }
  }

  private static void serve(BlockingSocket socket, BlockingSocketHandler handler) {
    try {
      handler.handle(socket);
      socket.close(CloseReason.NORMAL, "");
    } catch (InterruptedException _) {
      socket.close(CloseReason.GOING_AWAY, "the server is stopping");
    } catch (Throwable failure) { // an Error, too, must not leave the client without a handler
      if (socket.isOpen()) {
        LOG.log(Level.ERROR, "a blocking WebSocket handler failed", failure);
        socket.close(CloseReason.INTERNAL_ERROR, "internal error");
      }
    }
  }

  private void outboxShed() {
    metrics.outboxShed("ws");
  }
}
