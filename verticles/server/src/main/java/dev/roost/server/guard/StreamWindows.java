package dev.roost.server.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayDeque;
import java.util.Deque;

/// Keeps what a stream's window does not take (RFC 9113, 5.2) away from Netty, which would count it
/// against the whole connection's window and call every other stream unwritable: a client that
/// takes nothing of one answer would take nothing of the others either.
///
/// Netty is given as much of each stream as its window takes, in order, before the window grows. So
/// whatever is held back here, Netty knows its stream as full, and tells nobody to write more: what
/// is held is what the handler had written at once. Confined to the connection's event loop.
final class StreamWindows implements Http2RemoteFlowController {

  private final Http2Connection connection;
  private final Http2RemoteFlowController netty;
  private final PropertyKey shares;

  private StreamWindows(Http2Connection connection) {
    this.connection = connection;
    this.netty = connection.remote().flowController();
    this.shares = connection.newKey();
  }

  /// Stands before Netty's own windows from now on. Called before the first answer.
  static void guard(Http2ConnectionHandler http2) {
    var windows = new StreamWindows(http2.connection());
    windows.connection.remote().flowController(windows);
    windows.connection.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            windows.drop(stream);
          }
        });
  }

  @Override
  public void addFlowControlled(Http2Stream stream, FlowControlled frame) {
    Share share = stream.getProperty(shares);
    if (share == null) {
      share = new Share(netty.windowSize(stream));
      stream.setProperty(shares, share);
    }
    if (share.held.isEmpty() && share.takes(frame)) {
      share.room -= frame.size();
      netty.addFlowControlled(stream, frame);
    } else {
      share.held.add(new Part(frame, frame.size(), true));
      give(stream, share);
    }
  }

  @Override
  public boolean hasFlowControlled(Http2Stream stream) {
    Share share = stream.getProperty(shares);
    return netty.hasFlowControlled(stream) || (share != null && !share.held.isEmpty());
  }

  @Override
  public void incrementWindowSize(Http2Stream stream, int delta) throws Http2Exception {
    grow(stream, delta);
    netty.incrementWindowSize(stream, delta);
  }

  @Override
  public void initialWindowSize(int bytes) throws Http2Exception {
    var delta = bytes - netty.initialWindowSize();
    connection.forEachActiveStream(
        stream -> {
          grow(stream, delta);
          return true;
        });
    netty.initialWindowSize(bytes);
  }

  @Override
  public int initialWindowSize() {
    return netty.initialWindowSize();
  }

  @Override
  public int windowSize(Http2Stream stream) {
    return netty.windowSize(stream);
  }

  /// Vert.x asks when a stream begins.
  @Override
  public boolean isWritable(Http2Stream stream) {
    try {
      noteFullChannel();
    } catch (Http2Exception failure) {
      throw new IllegalStateException(failure); // it only tells the streams
    }
    return netty.isWritable(stream);
  }

  @Override
  public void writePendingBytes() throws Http2Exception {
    netty.writePendingBytes();
    noteFullChannel();
  }

  @Override
  public void channelWritabilityChanged() throws Http2Exception {
    netty.channelWritabilityChanged();
  }

  @Override
  public void listener(Listener listener) {
    netty.listener(listener);
  }

  @Override
  public void updateDependencyTree(int child, int parent, short weight, boolean exclusive) {
    netty.updateDependencyTree(child, parent, weight, exclusive);
  }

  @Override
  public void channelHandlerContext(ChannelHandlerContext context) throws Http2Exception {
    netty.channelHandlerContext(context);
  }

  @Override
  public ChannelHandlerContext channelHandlerContext() {
    return netty.channelHandlerContext();
  }

  /// Netty would note later that the channel is full, and not at all where it has room again by
  /// then: streams that met it full would never be told that they may write.
  private void noteFullChannel() throws Http2Exception {
    if (!channelHandlerContext().channel().isWritable()) {
      netty.channelWritabilityChanged();
    }
  }

  private void grow(Http2Stream stream, int delta) {
    Share share = stream.getProperty(shares);
    if (share != null) {
      share.room += delta;
      give(stream, share);
    }
  }

  /// Gives what there is room for; trailers need none.
  private void give(Http2Stream stream, Share share) {
    while (!share.held.isEmpty()) {
      var next = share.held.element();
      if (share.takes(next)) {
        share.held.remove();
      } else if (share.room > 0) {
        next = next.split((int) share.room);
      } else {
        return;
      }
      share.room -= next.size();
      netty.addFlowControlled(stream, next);
    }
  }

  private void drop(Http2Stream stream) {
    Share share = stream.removeProperty(shares);
    if (share == null || share.held.isEmpty()) {
      return;
    }
    var closed =
        Http2Exception.streamError(
            stream.id(), Http2Error.STREAM_CLOSED, "Stream closed before all of it was written");
    for (var part : share.held) {
      part.error(channelHandlerContext(), closed);
    }
  }

  /// What one stream may still give to Netty.
  private static final class Share {

    private final Deque<Part> held = new ArrayDeque<>(1);

    /// Bytes of the window that Netty has nothing for; below zero where a setting took the window
    /// back.
    private long room;

    Share(int room) {
      this.room = room;
    }

    boolean takes(FlowControlled frame) {
      return frame.size() == 0 || frame.size() <= room;
    }
  }

  /// The next `bytes` of a frame.
  private static final class Part implements FlowControlled {

    private final FlowControlled frame;
    private int bytes;
    private boolean last;

    Part(FlowControlled frame, int bytes, boolean last) {
      this.frame = frame;
      this.bytes = bytes;
      this.last = last;
    }

    /// Takes the first `first` bytes off.
    Part split(int first) {
      bytes -= first;
      return new Part(frame, first, false);
    }

    @Override
    public int size() {
      return bytes;
    }

    /// A frame whose write has failed is empty at once.
    @Override
    public void write(ChannelHandlerContext context, int bytesMax) {
      var before = frame.size();
      frame.write(context, Math.min(bytesMax, bytes));
      var left = bytes - (before - frame.size());
      bytes = Math.max(0, Math.min(left, frame.size()));
    }

    @Override
    public void writeComplete() {
      if (last) {
        frame.writeComplete();
      }
    }

    @Override
    public void error(ChannelHandlerContext context, Throwable cause) {
      frame.error(context, cause);
    }

    /// Windows that grow in small steps do not make small frames.
    @Override
    public boolean merge(ChannelHandlerContext context, FlowControlled next) {
      if (!(next instanceof Part part) || !part.frame.equals(frame)) {
        return false;
      }
      bytes += part.bytes;
      last = part.last;
      return true;
    }
  }
}
