package dev.roost.server.websocket;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// One WebSocket for a handler that waits. `receive` and `send` are called on the socket's own
/// virtual thread; the socket itself lives on its event loop. Both ways are bounded: an unread
/// inbox stops reading from the client, a slow client stops the sender.
public final class BlockingSocket implements Session {

  /// Bytes handed to the event loop and not yet written, per socket; a bigger message goes alone.
  private static final int UNWRITTEN_BYTES_MAX = 256 << 10;

  /// What a message costs, however small.
  private static final int MESSAGE_BYTES_MIN = 256;

  private final OpenSocket open;
  private final Context loop;
  private final int inboxMax;
  private final int inboxBytesMax;
  private final CompletableFuture<BlockingSocket> opened;
  private final BlockingQueue<Received> inbox = new LinkedBlockingQueue<>();
  private final AtomicLong inboxBytes = new AtomicLong();
  private final Semaphore unwritten = new Semaphore(UNWRITTEN_BYTES_MAX);

  /// Messages that came and whose handler has not asked for the next one.
  private final AtomicInteger unhandled = new AtomicInteger();

  private boolean handling;
  private boolean asked;
  private volatile boolean closing;
  private volatile boolean closed;
  private volatile CloseReason closeReason = CloseReason.NONE_CAME;

  /// What comes out of the inbox.
  private sealed interface Received {
    record Whole(Message message) implements Received {}

    record End() implements Received {}
  }

  /// @param inboxMax messages it holds unread
  /// @param inboxBytesMax bytes in them, beyond which no further one is read
  /// @param opened completes when the socket is open
  BlockingSocket(
      OpenSocket open, int inboxMax, int inboxBytesMax, CompletableFuture<BlockingSocket> opened) {
    this.open = open;
    this.loop = open.request().vertx().getOrCreateContext();
    this.inboxMax = inboxMax;
    this.inboxBytesMax = inboxBytesMax;
    this.opened = opened;
    open.socket().pause();
  }

  /// The request that was upgraded. Read it only; it belongs to the event loop.
  public RoutingContext request() {
    return open.request();
  }

  /// The first of the client's subprotocols that the route speaks; empty if there is none.
  public Optional<String> subprotocol() {
    return open.subprotocol();
  }

  /// Waits for the next whole message. Asking for it means that the one before is dealt with: what
  /// was sent until then reaches a peer that has closed behind its message, as long as no 5 seconds
  /// pass without a message and the peer takes what it is sent.
  ///
  /// @return null when the socket is closed and everything that came was received
  public @Nullable Message receive() throws InterruptedException {
    if (handling) {
      handling = false;
      if (unhandled.decrementAndGet() == 0 && closing) {
        loop.runOnContext(_ -> open.settle());
      }
    }
    return switch (inbox.take()) {
      case Received.Whole(var message) -> {
        handling = true;
        inboxBytes.addAndGet(-message.size());
        loop.runOnContext(_ -> askForMore());
        yield message;
      }
      case Received.End end -> {
        inbox.add(end); // for the next call
        yield null;
      }
    };
  }

  /// Sends one message; waits while 256 KiB of this socket are not written yet.
  ///
  /// @throws IOException if the socket is closed
  public void send(Message message) throws IOException, InterruptedException {
    var cost = Math.clamp(message.size(), MESSAGE_BYTES_MIN, UNWRITTEN_BYTES_MAX);
    unwritten.acquire(cost);
    if (closed) {
      unwritten.release(cost);
      throw new IOException("the WebSocket is closed");
    }
    loop.runOnContext(
        _ ->
            open.write(message)
                .onFailure(_ -> closed = true) // the next one is told
                .onComplete(_ -> unwritten.release(cost)));
  }

  /// Sends one text message; see [#send(Message)].
  public void send(String text) throws IOException, InterruptedException {
    send(new Message.Text(text));
  }

  /// Sends one binary message; see [#send(Message)].
  public void send(Buffer bytes) throws IOException, InterruptedException {
    send(new Message.Binary(bytes));
  }

  /// Starts the close handshake, behind what was sent before, and returns at once.
  ///
  /// @param code 1000..1003, 1007..1014 or 3000..4999 (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  /// @throws IllegalArgumentException if one of them is not so
  public void close(int code, String reason) {
    var checked = CloseReason.toSend(code, reason);
    loop.runOnContext(_ -> open.close(checked.code(), checked.reason()));
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
  public void opened() {
    askForMore();
    opened.complete(this);
  }

  @Override
  public boolean reading() {
    return asked;
  }

  @Override
  public boolean peerEnded() {
    closing = true;
    return unhandled.get() == 0;
  }

  @Override
  public void flush() {} // nothing waits here

  @Override
  public void received(Message message) {
    asked = false;
    unhandled.incrementAndGet();
    inboxBytes.addAndGet(message.size());
    inbox.add(new Received.Whole(message));
    askForMore();
  }

  @Override
  public void pinged(Buffer payload) {}

  /// What came before the end is received before it, however full the inbox.
  @Override
  public void closed(CloseReason reason) {
    closeReason = reason;
    open.socket().fetch(Long.MAX_VALUE);
    loop.runOnContext(
        _ -> {
          closed = true;
          inbox.add(new Received.End());
        });
  }

  private void askForMore() {
    if (!asked && inbox.size() < inboxMax && inboxBytes.get() < inboxBytesMax) {
      asked = true;
      open.socket().fetch(1);
    }
  }
}
