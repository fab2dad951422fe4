package dev.roost.server.websocket;

import dev.roost.server.flow.Outbox;
import dev.roost.server.topic.Batch;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Subscription;
import dev.roost.server.topic.Topic;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One WebSocket on its event loop (RFC 6455). Handlers run on that loop and must not block; `send`
/// and `close` may be called from any thread.
public final class AsyncSocket implements Session {

  private final OpenSocket open;
  private final Context loop;
  private final Outbox<Message> outbox;
  private final Runnable shed;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private Handler<String> textHandler = _ -> {};
  private Handler<Buffer> binaryHandler = _ -> {};
  private Handler<CloseReason> closeHandler = _ -> {};

  AsyncSocket(OpenSocket open, int outboxMax, Runnable shed) {
    this.open = open;
    this.loop = open.request().vertx().getOrCreateContext();
    this.outbox = new Outbox<>(open.socket(), outboxMax, this::write);
    this.shed = shed;
  }

  /// The request that was upgraded: path parameters, query, headers.
  public RoutingContext request() {
    return open.request();
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

  /// Starts the close handshake.
  ///
  /// @param code 1000 or 3000..4999 (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  public void close(int code, String reason) {
    onLoop(() -> open.close(code, reason));
  }

  /// Sends every message of `topic` from now on as text, until the socket is gone.
  public AsyncSocket follow(Topic topic) {
    subscriptions.add(
        topic.follow(
            Optional.empty(),
            new Subscriber() {
              @Override
              public void messages(Batch batch) {
                // a failure has already closed the socket
                batch.messages().forEach(message -> send(message.text()));
              }

              @Override
              public void gap(String id) {
                close(CloseReason.TRY_AGAIN_LATER, "messages were lost");
              }
            }));
    return this;
  }

  private Future<Void> offer(Message message) {
    if (loop.equals(Vertx.currentContext())) {
      return offerOnLoop(message);
    }
    return Future.future(done -> loop.runOnContext(_ -> offerOnLoop(message).onComplete(done)));
  }

  private Future<Void> write(Message message) {
    return message.writeTo(open.socket());
  }

  private void onLoop(Runnable action) {
    if (loop.equals(Vertx.currentContext())) {
      action.run();
    } else {
      loop.runOnContext(_ -> action.run());
    }
  }

  private Future<Void> offerOnLoop(Message message) {
    return outbox
        .offer(message)
        .onFailure(
            failure -> {
              if (failure instanceof Outbox.Shed refused && refused.full()) {
                shed.run();
                outbox.close();
                close(CloseReason.TRY_AGAIN_LATER, "too slow");
              }
            });
  }

  @Override
  public boolean reading() {
    return true;
  }

  @Override
  public void received(Message message) {
    switch (message) {
      case Message.Text(var text) -> textHandler.handle(text);
      case Message.Binary(var bytes) -> binaryHandler.handle(bytes);
    }
  }

  @Override
  public void closed() {
    subscriptions.forEach(Subscription::cancel);
    outbox.close();
    closeHandler.handle(CloseReason.of(open.socket()));
  }
}
