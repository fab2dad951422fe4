package dev.roost.server.park.conversation;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.KeptHttp2;
import io.netty.handler.ssl.RecordTls;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.http2.codec.AwaitedFrames;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// HTTP/2, where the peers share tables and windows. Confined to the connection's event loop.
final class Http2Conversation implements Conversation {

  /// Netty counts the streams that a client makes us give up, within such a time (Vert.x's
  /// `rstFloodWindowDuration`), against a flood of them; it would count anew after a park.
  private static final long RESETS_COUNTED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final HttpConnection connection;
  private final Http2ConnectionHandler handler;
  private final ChannelPipeline pipeline;
  private int acknowledged;
  private boolean anyReset;
  private long resetNanos;

  private Http2Conversation(
      HttpConnection connection, Http2ConnectionHandler handler, ChannelPipeline pipeline) {
    this.connection = connection;
    this.handler = handler;
    this.pipeline = pipeline;
    handler.decoder().frameListener(new Frames(handler.decoder().frameListener()));
    handler.connection().addListener(new Streams());
  }

  static Optional<Conversation> on(HttpConnection connection) {
    if (!(connection instanceof ConnectionBase base)) {
      return Optional.empty();
    }
    var pipeline = base.channel().pipeline();
    return Optional.ofNullable(pipeline.get(Http2ConnectionHandler.class))
        .map(handler -> new Http2Conversation(connection, handler, pipeline));
  }

  /// The client has our settings, which a fresh handler takes for acknowledged, and no others: an
  /// application may have changed them.
  @Override
  public boolean isIdle() {
    var tls = pipeline.get(SslHandler.class);
    return acknowledged == 1
        && KeptHttp2.canBeTakenFrom(handler)
        && !AwaitedFrames.on(connection)
        && (tls != null && RecordTls.isBetweenRecords(tls))
        && (!anyReset || System.nanoTime() - resetNanos >= RESETS_COUNTED_NANOS);
  }

  @Override
  public boolean isUpgraded() {
    return false;
  }

  @Override
  public Optional<KeptHttp2> kept() {
    return Optional.of(KeptHttp2.from(handler));
  }

  private void reset() {
    anyReset = true;
    resetNanos = System.nanoTime();
  }

  private final class Frames extends Http2FrameListenerDecorator {
    Frames(Http2FrameListener listener) {
      super(listener);
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
      acknowledged++;
      super.onSettingsAckRead(context);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int stream, long code)
        throws Http2Exception {
      reset();
      super.onRstStreamRead(context, stream, code);
    }
  }

  private final class Streams extends Http2ConnectionAdapter {
    @Override
    public void onStreamClosed(Http2Stream stream) {
      if (stream.isResetSent()) {
        reset();
      }
    }
  }
}
