package dev.roost.server.websocket;

import dev.roost.server.flow.Handover;
import dev.roost.server.flow.Outbox;
import dev.roost.server.guard.Connections;
import dev.roost.server.settings.WebSocketSettings;
import dev.roost.server.topic.Batch;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import dev.roost.server.topic.TopicRefusal;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One WebSocket on its event loop (RFC 6455). Handlers run on that loop and must not block; `send`
/// and `close` may be called from any thread.
public final class AsyncSocket implements Session {

  private final OpenSocket open;
  private final Handler<AsyncSocket> opened;
  private final ContextInternal loop;
  private final Outbox<Message> outbox;
  private final Handover handover;
  private final long outboxBytesMax;
  private final Runnable shed;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private Handler<String> textHandler = _ -> {};
  private Handler<Buffer> binaryHandler = _ -> {};
  private Handler<Buffer> pingHandler = _ -> {};
  private Handler<CloseReason> closeHandler = _ -> {};
  private long unwrittenBytes;
  private boolean outboxShed;
  private boolean released;

  /// @param opened called when the socket is open
  /// @param shed called when the client was too slow
  AsyncSocket(
      OpenSocket open, WebSocketSettings settings, Handler<AsyncSocket> opened, Runnable shed) {
    this.open = open;
    this.opened = opened;
    this.loop = (ContextInternal) open.request().vertx().getOrCreateContext();
    this.outbox = new Outbox<>(open.socket(), settings.outboxMessagesMax(), new MessageWire(open));
    this.handover = new Handover(settings.outboxMessagesMax());
    this.outboxBytesMax = settings.outboxBytesMax();
    this.shed = shed;
  }

  /// The request that was upgraded: path parameters, query, headers.
  public RoutingContext request() {
    return open.request();
  }

  /// The first of the client's subprotocols that the route speaks; empty if there is none.
  public Optional<String> subprotocol() {
    return open.subprotocol();
  }

  /// Called with each whole text message.
  public AsyncSocket text(Handler<String> handler) {
    textHandler = handler;
    return this;
  }

  /// Called with each whole binary message.
  public AsyncSocket binary(Handler<Buffer> handler) {
    binaryHandler = handler;
    return this;
  }

  /// Called with the payload of each ping, at most 125 bytes; it was answered already.
  public AsyncSocket pinged(Handler<Buffer> handler) {
    pingHandler = handler;
    return this;
  }

  /// Called once, when the socket is gone: code 1006 when the peer left without a close frame.
  public AsyncSocket closed(Handler<CloseReason> handler) {
    closeHandler = handler;
    return this;
  }

  /// Sends one text message.
  ///
  /// @return completes when it is written; fails with [Outbox.Shed] when the client is gone, or so
  ///   slow that its outbox is full: then the socket closes with 1013
  public Future<Void> send(String text) {
    return offer(new Message.Text(text));
  }

  /// Sends one binary message; see [#send(String)].
  public Future<Void> send(Buffer binary) {
    return offer(new Message.Binary(binary));
  }

  /// Starts the close handshake, behind what was sent before.
  ///
  /// @param code 1000..1003, 1007..1014 or 3000..4999 (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  /// @throws IllegalArgumentException if one of them is not so
  public void close(int code, String reason) {
    var checked = CloseReason.toSend(code, reason);
    onLoop(
        () -> {
          outbox.flush();
          open.close(checked.code(), checked.reason());
        });
  }

  /// Sends every message of `topic` from now on as text, until the socket is gone. Where the topic
  /// would be one too many the socket closes with 1013.
  public AsyncSocket follow(Topic topic) {
    onLoop(() -> followOnLoop(topic));
    return this;
  }

  private void followOnLoop(Topic topic) {
    if (released) {
      return;
    }
    try {
      var follower = new Follower();
      follower.subscription = topic.follow(Optional.empty(), follower);
      subscriptions.add(follower.subscription);
    } catch (TopicRefusal _) { // it is counted
      open.close(CloseReason.TRY_AGAIN_LATER, "too many topics");
    }
  }

  /// One batch is on its way to the client at a time; what it has not taken stays in the topic.
  private final class Follower implements Subscriber {
    private Subscription subscription = Subscription.none();
    private boolean writing;

    @Override
    public boolean ready() {
      return !writing;
    }

    @Override
    public void messages(Batch batch) {
      writing = true;
      var sent = batch.messages().stream().map(message -> send(message.text())).toList();
      Future.join(sent).onComplete(_ -> goOn()); // a failure has closed the socket
    }

    @Override
    public void gap(String id) {
      open.close(CloseReason.TRY_AGAIN_LATER, "messages were lost");
    }

    private void goOn() {
      writing = false;
      subscription.resume();
    }
  }

  /// Messages on their way to the peer of one socket.
  private record MessageWire(OpenSocket open) implements Outbox.Wire<Message> {

    @Override
    public Future<Void> write(Message message) {
      return open.write(message);
    }

    @Override
    public long bytes(Message message) {
      return message.size();
    }

    @Override
    public boolean flush() {
      return Connections.flush(open.request().request().connection());
    }

    @Override
    public void later(Runnable task) {
      open.request().vertx().runOnContext(_ -> task.run());
    }
  }

  private Future<Void> offer(Message message) {
    if (loop.inThread()) {
      return offerOnLoop(message);
    }
    if (!handover.enter()) {
      loop.runOnContext(_ -> shed());
      return Future.failedFuture(Outbox.Shed.tooSlow());
    }
    return Future.<Void>future(
            done -> loop.runOnContext(_ -> offerOnLoop(message).onComplete(done)))
        .onComplete(_ -> handover.leave());
  }

  private void onLoop(Runnable action) {
    if (loop.inThread()) {
      action.run();
    } else {
      loop.runOnContext(_ -> action.run());
    }
  }

  private Future<Void> offerOnLoop(Message message) {
    if (unwrittenBytes > outboxBytesMax) {
      shed();
    }
    unwrittenBytes += message.size();
    return outbox
        .offer(message)
        .onComplete(_ -> unwrittenBytes -= message.size())
        .onFailure(
            failure -> {
              if (failure instanceof Outbox.Shed refused && refused.full()) {
                shed();
              }
            });
  }

  private void shed() {
    if (!outboxShed) {
      outboxShed = true;
      shed.run();
      outbox.close();
      open.close(CloseReason.TRY_AGAIN_LATER, "too slow");
    }
  }

  @Override
  public void opened() {
    opened.handle(this);
  }

  @Override
  public boolean reading() {
    return true;
  }

  /// Handlers answer before they return, or too late.
  @Override
  public boolean peerEnded() {
    return true;
  }

  @Override
  public void flush() {
    outbox.flush();
  }

  @Override
  public void received(Message message) {
    switch (message) {
      case Message.Text(var text) -> textHandler.handle(text);
      case Message.Binary(var bytes) -> binaryHandler.handle(bytes);
    }
  }

  @Override
  public void pinged(Buffer payload) {
    WebSockets.run(open, () -> pingHandler.handle(payload));
  }

  @Override
  public void closed(CloseReason reason) {
    release();
    told(reason);
  }

  OpenSocket open() {
    return open;
  }

  /// Gives back what the socket holds on its event loop.
  void release() {
    released = true;
    subscriptions.forEach(Subscription::cancel);
    outbox.close();
  }

  /// Tells the handler why the socket is gone.
  void told(CloseReason reason) {
    closeHandler.handle(reason);
  }
}
