package dev.roost.server.websocket;

import dev.roost.server.flow.Placement;
import io.vertx.core.buffer.Buffer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// An asynchronous socket whose handlers do not run on its event loop (`mode: classic`): they come
/// one after the other, and while one works no further message is read. Confined to the socket's
/// event loop.
final class PlacedSession implements Session {

  private static final Logger LOG = System.getLogger(PlacedSession.class.getName());

  private final AsyncSocket socket;
  private final Placement placement;
  private boolean reading;

  PlacedSession(AsyncSocket socket, Placement placement) {
    this.socket = socket;
    this.placement = placement;
    socket.open().socket().pause();
  }

  @Override
  public void opened() {
    handleThenRead(socket::opened);
  }

  @Override
  public boolean reading() {
    return reading;
  }

  @Override
  public boolean peerEnded() {
    return reading;
  }

  @Override
  public void flush() {
    socket.flush();
  }

  @Override
  public void received(Message message) {
    reading = false;
    handleThenRead(() -> socket.received(message));
  }

  @Override
  public void pinged(Buffer payload) {
    placement.handle(socket.request(), () -> handle(() -> socket.pinged(payload)));
  }

  @Override
  public void closed(CloseReason reason) {
    socket.release();
    placement.handle(socket.request(), () -> handle(() -> socket.told(reason)));
  }

  private void handleThenRead(Runnable handler) {
    placement.handle(
        socket.request(),
        () -> {
          handle(handler);
          placement.serve(socket.request(), this::read);
        });
  }

  private void read() {
    reading = true;
    socket.open().socket().fetch(1);
    socket.open().settle();
  }

  /// What an application throws is its bug, and the client's connection ends with it.
  private void handle(Runnable handler) {
    try {
      handler.run();
    } catch (Throwable failure) { // an Error, too, must not leave the client without a handler
      LOG.log(Level.ERROR, "a WebSocket handler failed", failure);
      socket.close(CloseReason.INTERNAL_ERROR, "internal error");
    }
  }
}
