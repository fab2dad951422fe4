package dev.roost.polyglot.javascript;

import dev.roost.server.sse.Event;
import dev.roost.server.sse.EventStream;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/// An event stream as a script sees it. Confined to the request's event loop.
public final class ScriptStream {

  /// The request that the stream answers.
  @HostAccess.Export public final ScriptRequest request;

  /// Where a reconnecting client left off, or `null`.
  @HostAccess.Export public final @Nullable String lastEventId;

  private final Realm realm;
  private final EventStream stream;
  private final List<Value> closeHandlers = new ArrayList<>();
  private boolean closed;

  ScriptStream(Realm realm, EventStream stream) {
    this.realm = realm;
    this.stream = stream;
    this.request = ScriptRequest.readOnly(realm, stream.request());
    this.lastEventId = stream.lastEventId().orElse(null);
    stream.closed(_ -> closed());
  }

  /// Sends one event: `send("text")`, or `send({data, id, event})`. Data that is no string goes as
  /// JSON.
  ///
  /// @return a promise: true when it is written, false when the client is gone or was too slow
  @HostAccess.Export
  public Value send(Value event) {
    return written(stream.send(event(event)));
  }

  /// Sends a comment; the promise is that of `send`.
  @HostAccess.Export
  public Value comment(String text) {
    return written(stream.comment(text));
  }

  /// Tells the client how many milliseconds to wait before it reconnects.
  @HostAccess.Export
  public Value retry(double millis) {
    return written(stream.retry(Duration.ofMillis((long) millis)));
  }

  /// Sends what is published on `topic`, after the client's last event id if it has one.
  @HostAccess.Export
  public ScriptStream follow(ScriptTopic topic) {
    stream.follow(topic.topic());
    return this;
  }

  /// Ends the stream after what was sent.
  @HostAccess.Export
  public void close() {
    stream.close();
  }

  /// Has `handler` called once, when the stream has ended, whoever ended it.
  @HostAccess.Export
  public ScriptStream onClose(Value handler) {
    if (!handler.canExecute()) {
      throw new IllegalArgumentException(
          "onClose: needs a function, not %s".formatted(Realm.shown(handler)));
    }
    if (closed) {
      realm.run(handler);
    } else {
      closeHandlers.add(handler);
    }
    return this;
  }

  private void closed() {
    closed = true;
    closeHandlers.forEach(realm::run);
    closeHandlers.clear();
  }

  private Value written(Future<Void> sent) {
    return realm.promise(sent.transform(done -> Future.succeededFuture(done.succeeded())));
  }

  private Event event(Value value) {
    if (!value.hasMember("data")) {
      return Event.of(realm.text(value));
    }
    return new Event(
        realm.text(value.getMember("data")), field(value, "id"), field(value, "event"));
  }

  /// A number reads as it does in the script, not as Java writes it.
  private Optional<String> field(Value event, String name) {
    return Optional.ofNullable(event.getMember(name))
        .filter(value -> !value.isNull())
        .map(realm::text);
  }
}
