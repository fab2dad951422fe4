package dev.roost.server.guard;

import dev.roost.server.settings.PipelineSettings;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/// Hands the requests of one HTTP/1.1 connection to Vert.x one after the other, each when the one
/// before it is answered. After `http.yield-batch` of them the loop serves its other connections
/// first; the answers of `http.batch` go out in one write. While requests wait here nothing more is
/// read from the client, so what waits is bounded by what one read brings.
///
/// A client may end its side after its last request and still gets every answer; the connection
/// closes behind the last one. To find out whether it only ended its side or is gone, it is sent an
/// interim answer (100, which RFC 9110, 15.2 lets any client ignore): a client that is gone resets.
///
/// Stands between the codec and Vert.x. Confined to the connection's event loop.
final class PipelinedRequests extends ChannelDuplexHandler {

  /// Time from the first question to a client that has ended its side to the second, which fails if
  /// the first one was answered by a reset.
  private static final Duration SECOND_PROBE = Duration.ofMillis(500);

  /// Time between all further ones.
  private static final Duration PROBE = Duration.ofSeconds(5);

  private final PipelineSettings settings;
  private final Ends ends;
  private final Deque<Object> waiting = new ArrayDeque<>();

  /// Requests Vert.x has, whose answers are not complete: 0 or 1.
  private int unanswered;

  /// Requests handed over since the loop last served others.
  private int served;

  /// Requests handed over since answers were last written out.
  private int unwritten;

  private boolean bodyToCome;
  private boolean headWritten;
  private boolean passing;
  private boolean turnScheduled;
  private boolean readingHeld;
  private boolean inputEnded;
  private boolean goodbyeHeld;
  private Runnable probe = () -> {};

  /// What becomes of the connection.
  interface Ends {
    /// A client that said goodbye has every answer it is owed, or they are on their way.
    void answeredAll();

    /// It speaks another protocol from now on.
    void upgraded();
  }

  PipelinedRequests(PipelineSettings settings, Ends ends) {
    this.settings = settings;
    this.ends = ends;
  }

  /// Whether a client that sends nothing more is owed an answer.
  boolean owesAnswer() {
    return (unanswered > 0 && !bodyToCome) || !waiting.isEmpty();
  }

  /// Whether nothing is asked, or being asked, and the client may go on asking.
  boolean isIdle() {
    return unanswered == 0
        && waiting.isEmpty()
        && !turnScheduled
        && !readingHeld
        && !inputEnded
        && !goodbyeHeld;
  }

  /// Requests that were decoded and whose answers are not complete.
  int unanswered() {
    return unanswered + (int) waiting.stream().filter(HttpRequest.class::isInstance).count();
  }

  /// Runs in place of the interim answer when the head of an answer is out already.
  void probe(Runnable question) {
    probe = question;
  }

  /// The client has said goodbye, and what it said is held back until every request is answered.
  void goodbyeHeld() {
    goodbyeHeld = true;
  }

  /// The client will send nothing more.
  void inputEnded(ChannelHandlerContext context) {
    if (!inputEnded && context.channel().isActive()) {
      inputEnded = true;
      closeUnlessOwing(context);
      ask(context, SECOND_PROBE);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (waiting.isEmpty() && mayPass(context, message)) {
      pass(context, message);
    } else {
      waiting.add(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    endTurn(context);
  }

  /// Vert.x asks for more, maybe after it had enough for a while. There is no reading from a client
  /// that has ended its side: epoll has forgotten that side of it.
  @Override
  public void read(ChannelHandlerContext context) {
    if (!inputEnded) {
      context.read();
    }
    if (!waiting.isEmpty() && !passing) {
      scheduleTurn(context);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    var _ = context.write(message, promise);
    if (message instanceof HttpResponse response) {
      if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
        context.pipeline().remove(this);
        ends.upgraded();
        return;
      }
      if (response.status().codeClass().contains(100)) {
        return;
      }
      headWritten = true;
    }
    if (message instanceof LastHttpContent) {
      answered(context);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!waiting.isEmpty() && context.channel().isWritable()) {
      scheduleTurn(context);
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    context.fireChannelInactive();
  }

  /// The connection is a WebSocket now.
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    releaseReading(context);
    for (var message = waiting.poll(); message != null; message = waiting.poll()) {
      context.fireChannelRead(message);
    }
  }

  /// A request waits while the one before it is unanswered, and while the client has not taken what
  /// it was answered.
  private boolean mayPass(ChannelHandlerContext context, Object message) {
    return !(message instanceof HttpRequest)
        || (unanswered == 0 && served < settings.yieldBatch() && context.channel().isWritable());
  }

  private void pass(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      unanswered++;
      served++;
      unwritten++;
      bodyToCome = true;
      headWritten = false;
    }
    if (message instanceof LastHttpContent) {
      bodyToCome = false;
    }
    passing = true;
    try {
      context.fireChannelRead(message);
    } finally {
      passing = false;
    }
  }

  private void answered(ChannelHandlerContext context) {
    unanswered--;
    if (passing) {
      return; // the turn goes on
    }
    if (!waiting.isEmpty()) {
      scheduleTurn(context);
    }
    sayGoodbye(context);
  }

  private void sayGoodbye(ChannelHandlerContext context) {
    if ((inputEnded || goodbyeHeld) && !owesAnswer()) {
      context.channel().eventLoop().execute(() -> leave(context)); // behind the flush
    }
  }

  private void leave(ChannelHandlerContext context) {
    if (context.isRemoved() || owesAnswer()) {
      return;
    }
    if (goodbyeHeld) {
      goodbyeHeld = false;
      ends.answeredAll();
    }
    closeUnlessOwing(context);
  }

  /// One turn of the loop for what waits.
  private void turn(ChannelHandlerContext context) {
    turnScheduled = false;
    if (context.isRemoved() || !context.channel().isActive()) {
      return;
    }
    passing = true;
    releaseReading(context);
    passing = false;
    while (vertxReads(context) && !waiting.isEmpty() && mayPass(context, waiting.peek())) {
      pass(context, waiting.poll());
    }
    endTurn(context);
  }

  private void endTurn(ChannelHandlerContext context) {
    served = 0;
    var more = !waiting.isEmpty() && mayPass(context, waiting.peek()) && vertxReads(context);
    if (!more || unwritten + settings.yieldBatch() > settings.batch()) {
      unwritten = 0;
      context.fireChannelReadComplete(); // Vert.x writes the answers out
    }
    if (more) {
      holdReading(context);
      giveWay(context);
    } else if (!waiting.isEmpty()) {
      holdReading(context);
    }
    sayGoodbye(context);
  }

  /// The next turn comes when the loop has looked at its other connections: a task alone would run
  /// before the next poll.
  private void giveWay(ChannelHandlerContext context) {
    if (!turnScheduled && context.channel().eventLoop() instanceof SingleThreadEventLoop loop) {
      turnScheduled = true;
      loop.executeAfterEventLoopIteration(() -> loop.execute(() -> turn(context)));
    } else {
      scheduleTurn(context);
    }
  }

  private void scheduleTurn(ChannelHandlerContext context) {
    if (!turnScheduled) {
      turnScheduled = true;
      context.channel().eventLoop().execute(() -> turn(context));
    }
  }

  /// Whether Vert.x takes messages: it stops the reading itself where a handler is slower than its
  /// request's body.
  private boolean vertxReads(ChannelHandlerContext context) {
    return readingHeld || inputEnded || context.channel().config().isAutoRead();
  }

  private void holdReading(ChannelHandlerContext context) {
    if (!readingHeld && !inputEnded && context.channel().config().isAutoRead()) {
      readingHeld = true;
      context.channel().config().setAutoRead(false);
    }
  }

  private void releaseReading(ChannelHandlerContext context) {
    if (readingHeld && !inputEnded) {
      readingHeld = false;
      context.channel().config().setAutoRead(true);
    }
  }

  private void closeUnlessOwing(ChannelHandlerContext context) {
    if (inputEnded && !owesAnswer()) {
      var _ = context.channel().close();
    }
  }

  private void ask(ChannelHandlerContext context, Duration next) {
    if (context.isRemoved() || !context.channel().isActive() || !owesAnswer()) {
      return;
    }
    if (headWritten) {
      probe.run();
    } else if (unanswered > 0) {
      var _ =
          context.writeAndFlush(
              new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
    var _ =
        context
            .channel()
            .eventLoop()
            .schedule(() -> ask(context, PROBE), next.toMillis(), TimeUnit.MILLISECONDS);
  }
}
