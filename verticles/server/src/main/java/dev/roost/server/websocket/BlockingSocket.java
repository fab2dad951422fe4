package dev.roost.server.websocket;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// One WebSocket for a handler that waits. `receive` and `send` are called on the socket's own
/// virtual thread; the socket itself lives on its event loop. Both ways are bounded: an unread
/// inbox stops reading from the client, a slow client stops the sender.
public final class BlockingSocket implements Session {

  /// Messages handed to the event loop and not yet written, per socket.
  private static final int UNWRITTEN_MAX = 16;

  private final OpenSocket open;
  private final Context loop;
  private final BlockingQueue<Received> inbox;
  private final Semaphore unwritten = new Semaphore(UNWRITTEN_MAX);
  private volatile boolean closed;
  private volatile CloseReason closeReason = new CloseReason(CloseReason.UNCLEAN, "");

  /// What comes out of the inbox.
  private sealed interface Received {
    record Whole(Message message) implements Received {}

    record End() implements Received {}
  }

  BlockingSocket(OpenSocket open, int inboxMax) {
    this.open = open;
    this.loop = open.request().vertx().getOrCreateContext();
    this.inbox = new ArrayBlockingQueue<>(inboxMax + 1); // one place is kept for the end
    open.socket().pause();
    open.socket().fetch(inboxMax);
  }

  /// The request that was upgraded. Read it only; it belongs to the event loop.
  public RoutingContext request() {
    return open.request();
  }

  /// Waits for the next whole message.
  ///
  /// @return null when the socket is closed and everything that came was received
  public @Nullable Message receive() throws InterruptedException {
    return switch (inbox.take()) {
      case Received.Whole(var message) -> {
        loop.runOnContext(_ -> open.socket().fetch(1));
        yield message;
      }
      case Received.End end -> {
        inbox.add(end); // for the next call
        yield null;
      }
    };
  }

  /// Sends one message; waits while 16 of this socket are not written yet.
  ///
  /// @throws IOException if the socket is closed
  public void send(Message message) throws IOException, InterruptedException {
    unwritten.acquire();
    if (closed) {
      unwritten.release();
      throw new IOException("the WebSocket is closed");
    }
    loop.runOnContext(_ -> message.writeTo(open.socket()).onComplete(_ -> unwritten.release()));
  }

  /// Sends one text message; see [#send(Message)].
  public void send(String text) throws IOException, InterruptedException {
    send(new Message.Text(text));
  }

  /// Sends one binary message; see [#send(Message)].
  public void send(Buffer bytes) throws IOException, InterruptedException {
    send(new Message.Binary(bytes));
  }

  /// Starts the close handshake and returns at once.
  ///
  /// @param code 1000 or 3000..4999 (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  public void close(int code, String reason) {
    loop.runOnContext(_ -> open.close(code, reason));
  }

  /// Whether the peer may still be there.
  public boolean isOpen() {
    return !closed;
  }

  /// Why it closed; meaningful once `receive` returned null.
  public CloseReason closeReason() {
    return closeReason;
  }

  @Override
  public boolean reading() {
    return inbox.remainingCapacity() > 1;
  }

  @Override
  public void received(Message message) {
    inbox.add(new Received.Whole(message));
  }

  @Override
  public void closed() {
    closed = true;
    closeReason = CloseReason.of(open.socket());
    inbox.add(new Received.End());
  }
}
