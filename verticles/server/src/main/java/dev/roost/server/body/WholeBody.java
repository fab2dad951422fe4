package dev.roost.server.body;

import io.netty.handler.codec.DecoderException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.impl.RoutingContextInternal;
import java.util.Optional;

/// One body on its way into memory, and, of a form, its files on their way to the disk. What it
/// holds is counted as it comes, and given back when the request is answered or its client is gone.
/// Confined to the request's event loop.
final class WholeBody implements Form.Reading {

  /// No buffer is larger.
  private static final long BUFFER_BYTES_MAX = Integer.MAX_VALUE - 8L;

  /// Smallest room for a body that comes in several pieces.
  private static final long ROOM_MIN = 1 << 10;

  private final RoutingContextInternal request;
  private final HttpServerRequest http;
  private final BodyKind kind;
  private final BodyBudget budget;
  private final long bytesMax;
  private final long bytesExpected;
  private final ContextInternal loop;
  private final Optional<Form> form;
  private Buffer body = Buffer.buffer();
  private long room;
  private long bytes;
  private long held;
  private int slow;
  private boolean over;
  private boolean released;

  WholeBody(RoutingContextInternal request, BodyKind kind, BodyReader reader) {
    this.request = request;
    this.http = request.request();
    this.kind = kind;
    this.budget = reader.budget();
    this.bytesMax =
        kind instanceof BodyKind.Parts
            ? reader.bytesMax()
            : Math.min(reader.bytesMax(), BUFFER_BYTES_MAX);
    this.bytesExpected = Math.min(bytesMax, ContentLength.of(http).orElse(bytesMax));
    this.loop = (ContextInternal) request.vertx().getOrCreateContext();
    this.form =
        kind instanceof BodyKind.Parts(var boundary)
            ? Optional.of(new Form(request, reader.uploads().folder(), boundary, this))
            : Optional.empty();
  }

  /// Reads it, and lets the next handler run; or fails the request.
  void read() {
    if (form.isEmpty() && !budget.couldHold(ContentLength.of(http).orElse(0))) {
      refuse();
      return;
    }
    request.addEndHandler(_ -> onLoop(this::release));
    if (http.headers().contains(HttpHeaders.EXPECT) && http.version() != HttpVersion.HTTP_1_0) {
      http.response().writeContinue(); // a failure here means that the client is gone
    }
    if (!(kind instanceof BodyKind.Bytes)) {
      http.setExpectMultipart(true);
    }
    form.ifPresent(Form::expect);
    http.handler(this::received).exceptionHandler(this::failed).endHandler(_ -> ended()).resume();
  }

  @Override
  public void slower() {
    if (slow++ == 0) {
      http.pause();
    }
  }

  @Override
  public void faster() {
    if (--slow == 0 && !http.isEnded()) {
      http.resume();
    }
  }

  @Override
  public void written(int fileBytes) {
    if (!released) {
      held -= fileBytes;
      budget.give(fileBytes);
    }
  }

  @Override
  public void broken(Throwable failure) {
    fail(500, failure);
  }

  private void received(Buffer piece) {
    if (over || released) {
      return;
    }
    bytes += piece.length();
    if (bytes > bytesMax) {
      over = true;
      drop();
      request.fail(413);
    } else if (!kept(piece)) {
      refuse();
    }
  }

  /// The decoder of a form holds what it was given, and so does a buffer.
  private boolean kept(Buffer piece) {
    form.ifPresent(parts -> parts.passed(piece));
    return switch (kind) {
      case BodyKind.Parts _ -> take(piece.length());
      case BodyKind.Fields _ -> take(piece.length()) && append(piece);
      case BodyKind.Bytes _, BodyKind.NoBoundary _ -> append(piece);
    };
  }

  /// One piece is kept as it came. Several are put together in a buffer that doubles, but is no
  /// larger than what was announced.
  private boolean append(Buffer piece) {
    if (bytes > room) {
      var larger = Math.max(bytes, Math.min(Math.max(2 * room, ROOM_MIN), bytesExpected));
      var wanted = room == 0 ? bytes : larger;
      if (!take(wanted - room)) {
        return false;
      }
      if (room == 0) {
        room = wanted;
        body = piece;
        return true;
      }
      room = wanted;
      body = Buffer.buffer(Math.toIntExact(room)).appendBuffer(body);
    }
    body.appendBuffer(piece);
    return true;
  }

  private boolean take(long more) {
    if (!budget.take(more)) {
      return false;
    }
    held += more;
    return true;
  }

  /// There is no room: the same request may find some in a second.
  private void refuse() {
    over = true;
    drop();
    budget.refused();
    request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
    request.fail(503);
  }

  private void ended() {
    if (over) {
      return;
    }
    if (form.isPresent()) {
      form.get().stored().onSuccess(_ -> goOn()).onFailure(this::unreadable);
    } else {
      goOn();
    }
  }

  private void goOn() {
    if (over || released) {
      return;
    }
    over = true;
    if (http.isExpectMultipart()) {
      http.params().addAll(http.formAttributes());
    }
    request.setBody(body);
    body = Buffer.buffer();
    request.next();
  }

  private void failed(Throwable failure) {
    if (failure instanceof DecoderException && !(kind instanceof BodyKind.Bytes)) {
      fail(400, BrokenForm.malformed());
    } else {
      fail(failure instanceof IllegalArgumentException ? 400 : 500, ClientGone.orSame(failure));
    }
  }

  private void unreadable(Throwable failure) {
    fail(failure instanceof BrokenForm ? 400 : 500, failure);
  }

  private void fail(int status, Throwable failure) {
    if (!over) {
      over = true;
      drop();
      request.fail(status, failure);
    }
  }

  /// What still comes of a form is not decoded.
  private void drop() {
    release();
    if (!http.isEnded() && http.isExpectMultipart()) {
      http.setExpectMultipart(false);
    }
  }

  private void release() {
    if (!released) {
      released = true;
      budget.give(held);
      form.ifPresent(Form::discard);
    }
  }

  private void onLoop(Runnable step) {
    if (loop.inThread()) {
      step.run();
    } else {
      loop.runOnContext(_ -> step.run());
    }
  }
}
