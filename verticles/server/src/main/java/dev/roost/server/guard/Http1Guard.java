package dev.roost.server.guard;

import dev.roost.server.guard.answer.LastAnswer;
import dev.roost.server.settings.PipelineSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.KeptRegistration;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.codec.http.UndecodedRequest;
import io.netty.handler.ssl.RecordTls;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;
import java.util.Optional;

/// What stands in the pipeline of one HTTP/1.1 connection besides Vert.x's own handlers: order,
/// batches and half-close; of the latter, a WebSocket needs some as well. Confined to the
/// connection's event loop.
public final class Http1Guard {

  private static final AttributeKey<Http1Guard> GUARD = AttributeKey.valueOf("dev.roost.guard");

  /// Vert.x's names for its handlers.
  private static final String DECODER = "httpDecoder";

  private static final String ENCODER = "httpEncoder";

  private static final String REQUESTS = "pipelinedRequests";

  private static final String PACED = "pacedAnswers";

  private final Channel channel;
  private final PipelinedRequests requests;
  private final LastAnswer last = new LastAnswer(this::lastAnswerWritten);
  private final PacedAnswers answers;
  private final ClientInput input = new ClientInput(REQUESTS, new Decoded());
  private final HalfClosedClient client = new HalfClosedClient(new Requests());
  private Optional<WebSocketFrames> socket = Optional.empty();
  private boolean upgraded;
  private boolean inputEnded;
  private boolean lastAnswerWritten;

  private Http1Guard(Channel channel, PipelineSettings settings) {
    this.channel = channel;
    this.answers = new PacedAnswers(settings.coalesceBytesMax());
    this.requests = new PipelinedRequests(settings, new Ends());
  }

  /// Puts the handlers in place. Called on the event loop when the connection has just been set up.
  public static void watch(HttpConnection connection, PipelineSettings settings) {
    if (connection instanceof VertxConnection vertx) {
      var channel = vertx.channelHandlerContext().channel();
      var guard = new Http1Guard(channel, settings);
      channel.attr(GUARD).set(guard);
      guard.install();
    }
  }

  /// The guard of a connection, if it is one of HTTP/1.1.
  public static Optional<Http1Guard> of(HttpConnection connection) {
    return connection instanceof VertxConnection vertx
        ? Optional.ofNullable(vertx.channelHandlerContext().channel().attr(GUARD).get())
        : Optional.empty();
  }

  /// The connection has become a WebSocket.
  static void upgraded(Channel channel, WebSocketFrames frames) {
    var guard = channel.attr(GUARD).get();
    if (guard != null) {
      guard.socket = Optional.of(frames);
    }
  }

  /// What to do when the client has ended its side while an answer that has no end is being sent:
  /// sending a little shows whether it is still there.
  public void probe(Runnable question) {
    requests.probe(question);
  }

  /// Whether the client is owed nothing, and nothing of a request has come, not even in part.
  public boolean isIdle() {
    var pipeline = channel.pipeline();
    var tls = pipeline.get(SslHandler.class);
    return !upgraded
        && !last.isOver()
        && requests.isIdle()
        && !input.isAmidUpgrade()
        && answers.isEmpty()
        && client.isBetweenRecords()
        && (tls == null || RecordTls.isBetweenRecords(tls))
        && pipeline.get(DECODER) instanceof HttpObjectDecoder decoder
        && !UndecodedRequest.in(decoder);
  }

  /// Whether the connection speaks another protocol.
  public boolean isUpgraded() {
    return upgraded;
  }

  private void install() {
    var pipeline = channel.pipeline();
    pipeline.addAfter(ENCODER, REQUESTS, requests);
    pipeline.addAfter(REQUESTS, "lastAnswer", last);
    pipeline.addBefore(DECODER, PACED, answers);
    pipeline.addBefore(DECODER, "clientInput", input);
    pipeline.addFirst(client);
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
  }

  /// What was held back in case it was a goodbye may be the first frame.
  private void releaseHeld() {
    var context = channel.pipeline().context(client);
    if (context != null) {
      client.release(context);
    }
  }

  private void giveAll() {
    var context = channel.pipeline().context(answers);
    if (context != null) {
      answers.giveAll(context);
    }
  }

  /// The client learns that it was the last answer, whatever it is sending still; closing at once
  /// might take the answer away from it (RFC 9112, 9.6).
  private void lastAnswerWritten() {
    if (!channel.isActive()) {
      return;
    }
    lastAnswerWritten = true;
    closeBehindLastAnswer();
    client.release(channel.pipeline().context(client));
    if (!channel.isActive()) {
      return;
    }
    channel.pipeline().addBefore(PACED, "lingering", new Lingering());
    var tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      var _ = tls.closeOutbound();
    } else if (channel instanceof DuplexChannel duplex) {
      var _ = duplex.shutdownOutput();
    }
  }

  private void closeBehindLastAnswer() {
    if (inputEnded && lastAnswerWritten) {
      var _ = channel.pipeline().context(PACED).close(); // what is behind it lingers
    }
  }

  private void inputEnded() {
    var context = channel.pipeline().context(requests);
    inputEnded = true;
    if (last.isOver()) {
      closeBehindLastAnswer();
    } else if (context != null) {
      requests.inputEnded(context);
    } else if (socket.isPresent()) {
      socket.get().inputEnded();
    } else {
      var _ = channel.close();
    }
  }

  private final class Ends implements PipelinedRequests.Ends {
    @Override
    public void answeredAll() {
      giveAll();
      client.release(channel.pipeline().context(client));
    }

    @Override
    public void upgraded() {
      upgraded = true;
      channel.eventLoop().execute(Http1Guard.this::releaseHeld); // when the client has been told
    }
  }

  private final class Decoded implements ClientInput.Owing {
    @Override
    public int requests() {
      return requests.unanswered();
    }

    @Override
    public void inputEnded() {
      Http1Guard.this.inputEnded();
    }
  }

  private final class Requests implements HalfClosedClient.Owing {
    @Override
    public boolean owesAnswer() {
      if (upgraded) {
        return socket.map(WebSocketFrames::holdsClose).orElse(false);
      }
      return last.isOver() ? !lastAnswerWritten : requests.owesAnswer();
    }

    @Override
    public void goodbyeComes() {
      giveAll();
    }

    @Override
    public void goodbyeHeld() {
      if (!upgraded) {
        requests.goodbyeHeld();
      }
    }

    @Override
    public void inputEnded() {
      KeptRegistration.of(channel);
      Http1Guard.this.inputEnded();
    }
  }
}
