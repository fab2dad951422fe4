package dev.roost.server.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.buffer.Buffer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// One end of the way between a worker and its supervisor. Thread-safe.
public final class Link {

  /// Bytes that wait for the other side.
  static final int OUTBOX_BYTES_MAX = 16 << 20;

  private static final Logger LOG = System.getLogger(Link.class.getName());

  /// Who can wait with what it sends does so above this: then there is room for what cannot.
  private static final int ROOM_BYTES = 1 << 20;

  private static final int LENGTH_BYTES = 4;

  private final Channel channel;
  private final AtomicInteger waitingBytes = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private volatile Runnable drained = () -> {};

  /// Called on the link's event loop, which must not wait.
  public interface Listener {

    /// In the order they were sent.
    void received(Frame frame);

    /// There is room again, after there was none.
    default void drained() {}

    /// The other side has closed it, or has died. Once, and last.
    void closed();
  }

  Link(Channel channel) {
    this.channel = channel;
  }

  /// A thread for links: a worker's, or all of a supervisor's.
  public static EventLoopGroup newLoop() {
    return new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory("roost-link", true), EpollIoHandler.newFactory());
  }

  /// Sends, or holds what the other side does not take yet.
  ///
  /// @return false if the outbox is full: the frame is dropped and counted
  public boolean send(Frame frame) {
    int bytes = LENGTH_BYTES + 1 + frame.body().length();
    if (waitingBytes.addAndGet(bytes) > OUTBOX_BYTES_MAX) {
      waitingBytes.addAndGet(-bytes);
      dropped.incrementAndGet();
      return false;
    }
    var message = channel.alloc().buffer(bytes);
    message.writeInt(bytes - LENGTH_BYTES).writeByte(frame.kind().number());
    message.writeBytes(frame.body().getBytes());
    var _ = channel.writeAndFlush(message).addListener(_ -> sent(bytes));
    return true;
  }

  /// Whether what can wait may be sent now; if not, [Listener#drained()] tells when.
  public boolean hasRoom() {
    return waitingBytes.get() < ROOM_BYTES;
  }

  /// Frames that did not fit into the outbox.
  public long dropped() {
    return dropped.get();
  }

  /// Ends it, after what was sent.
  ///
  /// @return completes when it is closed
  public CompletableFuture<Void> close() {
    var closed = new CompletableFuture<Void>();
    var _ = channel.closeFuture().addListener(_ -> closed.complete(null));
    var _ = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    return closed;
  }

  /// Where its listener is called.
  public EventLoop loop() {
    return channel.eventLoop();
  }

  /// Reads frames from now on. Called on the loop.
  void listen(Listener listener) {
    drained = listener::drained;
    channel
        .pipeline()
        .addLast(
            new LengthFieldBasedFrameDecoder(
                LENGTH_BYTES + 1 + Frame.BODY_BYTES_MAX, 0, LENGTH_BYTES, 0, LENGTH_BYTES),
            new Reader(listener));
    var _ = channel.closeFuture().addListener(_ -> listener.closed());
  }

  private void sent(int bytes) {
    int left = waitingBytes.addAndGet(-bytes);
    if (left < ROOM_BYTES / 2 && left + bytes >= ROOM_BYTES / 2) {
      drained.run();
    }
  }

  private static final class Reader extends SimpleChannelInboundHandler<ByteBuf> {
    private final Listener listener;

    Reader(Listener listener) {
      this.listener = listener;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
      var number = message.readUnsignedByte();
      var kind = FrameKind.of(number);
      if (kind.isEmpty()) {
        LOG.log(Level.WARNING, "a message of kind {0}, which this version does not know", number);
        return;
      }
      var body = new byte[message.readableBytes()];
      message.readBytes(body);
      listener.received(new Frame(kind.get(), Buffer.buffer(body)));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      LOG.log(Level.WARNING, "the link to the other process fails: {0}", failure.toString());
      var _ = context.close();
    }
  }
}
