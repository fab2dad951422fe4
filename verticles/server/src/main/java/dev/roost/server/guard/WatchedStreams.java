package dev.roost.server.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamVisitor;

/// An HTTP/2 connection, whose client may also leave single streams without a window (RFC 9113,
/// 5.2) while it takes the others: such a stream is reset, the connection lives on. Confined to its
/// event loop.
final class WatchedStreams extends Watched implements Http2StreamVisitor {

  private final SendTimeouts timeouts;
  private final Http2ConnectionHandler http2;
  private final Http2RemoteFlowController windows;
  private final PropertyKey stalls;
  private boolean anyStalled;
  private long connectionGrewNanos;

  /// @param sinceNanos when the stream was first seen without a window
  private record Stall(long sinceNanos) {}

  WatchedStreams(SendTimeouts timeouts, Channel channel, Http2ConnectionHandler http2) {
    super(timeouts, channel);
    this.timeouts = timeouts;
    this.http2 = http2;
    this.windows = http2.encoder().flowController();
    this.stalls = http2.connection().newKey();
    this.connectionGrewNanos = System.nanoTime();
    var decoder = http2.decoder();
    decoder.frameListener(
        new Http2FrameListenerDecorator(decoder.frameListener()) {
          @Override
          public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int bytes)
              throws Http2Exception {
            grew(stream);
            super.onWindowUpdateRead(context, stream, bytes);
          }
        });
  }

  /// After each flush, since what a window holds back does not come so far as the socket.
  @Override
  boolean mayWait() {
    return http2.connection().numActiveStreams() > 0;
  }

  @Override
  boolean watch() {
    var unsent = super.watch();
    anyStalled = false;
    try {
      http2.connection().forEachActiveStream(this);
    } catch (Http2Exception failure) {
      throw new IllegalStateException(failure); // visit() throws none
    }
    return unsent || anyStalled;
  }

  @Override
  public boolean visit(Http2Stream stream) {
    Stall stall = stream.getProperty(stalls);
    if (!isStalled(stream)) {
      if (stall != null) {
        stream.removeProperty(stalls);
      }
      return true;
    }
    anyStalled = true;
    if (stall == null) {
      stream.setProperty(stalls, new Stall(System.nanoTime()));
    } else if (timeouts.isOver(stall.sinceNanos())) {
      judge(stream);
    }
    return true;
  }

  /// Whether the answer on `stream` has begun and the client takes no more of it. Vert.x may hold
  /// back the rest itself, so that nothing need be queued here.
  private boolean isStalled(Http2Stream stream) {
    return stream.isHeadersSent()
        && stream.state().localSideOpen()
        && (windows.windowSize(stream) <= 0 || connectionWindow() <= 0);
  }

  /// A stream that lacks the connection's window alone waits on while others get some of it.
  private void judge(Http2Stream stream) {
    if (windows.windowSize(stream) > 0 && !timeouts.isOver(connectionGrewNanos)) {
      stream.setProperty(stalls, new Stall(System.nanoTime()));
    } else {
      reset(stream);
    }
  }

  private int connectionWindow() {
    return windows.windowSize(http2.connection().connectionStream());
  }

  private void grew(int streamId) {
    if (streamId == 0) {
      connectionGrewNanos = System.nanoTime();
      return;
    }
    var stream = http2.connection().stream(streamId);
    if (stream != null) {
      stream.removeProperty(stalls);
    }
  }

  private void reset(Http2Stream stream) {
    timeouts.cut();
    var context = channel().pipeline().context(http2);
    // Vert.x itself resets no stream it has ended; a failure means that the connection is gone
    var _ = http2.resetStream(context, stream.id(), Http2Error.CANCEL.code(), context.newPromise());
    context.flush();
  }
}
