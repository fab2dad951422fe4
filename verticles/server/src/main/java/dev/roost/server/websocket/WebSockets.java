package dev.roost.server.websocket;

import dev.roost.server.flow.Continuations;
import dev.roost.server.metrics.RequestMeter;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.BlockingSettings;
import dev.roost.server.settings.WebSocketSettings;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.Set;
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
  private final Set<OpenSocket> open = new LinkedHashSet<>();

  /// What a loop's sockets share with the rest of the server.
  ///
  /// @param blocking where blocking handlers run
  /// @param metrics what is counted
  /// @param requests of the same loop
  /// @param continuations of the same loop: an upgrade waits for its answer too
  public record Surroundings(
      BlockingVerticle blocking,
      ServerMetrics metrics,
      RequestMeter requests,
      Continuations continuations) {}

  public WebSockets(
      WebSocketSettings settings, BlockingSettings blockingSettings, Surroundings around) {
    this.settings = settings;
    this.blockingSettings = blockingSettings;
    this.blocking = around.blocking();
    this.metrics = around.metrics();
    this.requests = around.requests();
    this.continuations = around.continuations();
  }

  /// A handler that upgrades the request and hands the socket to `handler` on this loop.
  public Handler<RoutingContext> async(Handler<AsyncSocket> handler) {
    return request ->
        upgrade(
            request,
            "async",
            socket -> {
              var session = new AsyncSocket(socket, settings.outboxMessagesMax(), this::shedOutbox);
              handler.handle(session);
              return session;
            });
  }

  /// A handler that upgrades the request and runs `handler` on a virtual thread of its own.
  public Handler<RoutingContext> blocking(BlockingSocketHandler handler) {
    return request -> upgrade(request, "blocking", socket -> startBlocking(socket, handler));
  }

  /// Closes every socket with 1001.
  public void close() {
    Set.copyOf(open)
        .forEach(socket -> socket.close(CloseReason.GOING_AWAY, "the server is stopping"));
  }

  private void upgrade(RoutingContext request, String kind, Function<OpenSocket, Session> opened) {
    if (!request.request().headers().contains(HttpHeaders.UPGRADE, "websocket", true)) {
      request.response().setStatusCode(426).putHeader("sec-websocket-version", "13");
      if (request.request().version()
          == HttpVersion.HTTP_1_1) { // elsewhere RFC 9113, 8.2.2 forbids it
        request.response().putHeader(HttpHeaders.UPGRADE, "websocket");
      }
      request.end("This address speaks WebSocket only.\n"); // a failure: the client is gone
      return;
    }
    var start = System.nanoTime();
    request
        .request()
        .toWebSocket()
        .onSuccess(
            socket -> {
              continuations.answered(request);
              requests.ended("GET", 101, System.nanoTime() - start);
              start(new OpenSocket(request, socket), kind, opened);
            })
        .onFailure(_ -> continuations.answered(request)); // Vert.x has answered 400 already
  }

  private void start(OpenSocket socket, String kind, Function<OpenSocket, Session> opened) {
    try {
      watch(socket, kind, opened.apply(socket));
    } catch (RuntimeException failure) {
      LOG.log(Level.ERROR, "a WebSocket handler failed", failure);
      socket.close(CloseReason.INTERNAL_ERROR, "internal error");
    }
  }

  private void watch(OpenSocket opened, String kind, Session session) {
    var liveness = new Liveness(opened, settings, session);
    liveness.start();
    var socket = opened.socket();
    socket.frameHandler(
        new Assembler(
            opened,
            settings.messageBytesMax(),
            message -> {
              liveness.messageCame();
              session.received(message);
            }));
    socket.exceptionHandler(failure -> refuse(opened, failure));
    open.add(opened);
    metrics.webSocketOpened(kind);
    metrics.connectionClosed("http1"); // Vert.x drops its close handler with the upgrade
    metrics.connectionOpened("websocket");
    socket.closeHandler(
        _ -> {
          liveness.stop();
          open.remove(opened);
          metrics.webSocketClosed(kind);
          metrics.connectionClosed("websocket");
          session.closed();
        });
  }

  /// What the frame decoder found wrong (RFC 6455, 7.4.1).
  private static void refuse(OpenSocket socket, Throwable failure) {
    if (failure instanceof CorruptedWebSocketFrameException corrupted) {
      socket.close(corrupted.closeStatus().code(), "not a valid frame, or too big");
    } else if (failure instanceof TooLongFrameException) {
      socket.close(CloseReason.TOO_BIG, "the frame is too big");
    }
  }

  private Session startBlocking(OpenSocket socket, BlockingSocketHandler handler) {
    var blockingSocket = new BlockingSocket(socket, blockingSettings.inboxMessagesMax());
    if (!blocking.run(() -> serve(blockingSocket, handler))) {
      socket.close(CloseReason.TRY_AGAIN_LATER, "too many sockets");
    }
    return blockingSocket;
  }

  private static void serve(BlockingSocket socket, BlockingSocketHandler handler) {
    try {
      handler.handle(socket);
      socket.close(1000, "");
    } catch (InterruptedException _) {
      socket.close(CloseReason.GOING_AWAY, "the server is stopping");
    } catch (Exception failure) {
      if (socket.isOpen()) {
        LOG.log(Level.ERROR, "a blocking WebSocket handler failed", failure);
        socket.close(CloseReason.INTERNAL_ERROR, "internal error");
      }
    }
  }

  private void shedOutbox() {
    metrics.outboxShed("ws");
  }
}
