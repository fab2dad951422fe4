package dev.roost.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamWindowsTest {

  private static final int WINDOW = 65_535;

  private final DefaultHttp2Connection connection = new DefaultHttp2Connection(true);
  private final Http2ConnectionHandler http2 =
      new Http2ConnectionHandlerBuilder()
          .connection(connection)
          .frameListener(new Http2EventAdapter())
          .build();
  private final EmbeddedChannel channel = new EmbeddedChannel(http2);
  private final ByteBuf first = Unpooled.wrappedBuffer(new byte[100_000]);
  private final ByteBuf second = Unpooled.wrappedBuffer(new byte[10]);
  private Http2Stream stream;

  @BeforeEach
  void begin() throws Http2Exception {
    StreamWindows.guard(http2);
    var all = connection.connectionStream();
    http2.encoder().flowController().incrementWindowSize(all, 1 << 20);
    stream = connection.remote().createStream(1, true);
    var _ = http2.encoder().writeHeaders(context(), 1, head(), 0, false, channel.newPromise());
  }

  @Test
  void what_the_window_does_not_take_leaves_other_streams_writable() throws Http2Exception {
    var other = connection.remote().createStream(3, true);
    var _ = write(Unpooled.wrappedBuffer(new byte[8 << 20]), false);
    channel.flush();
    assertThat(http2.encoder().flowController().isWritable(other)).isTrue();
    assertThat(http2.encoder().flowController().isWritable(stream)).isFalse();
  }

  @Test
  void writes_end_in_order_as_the_window_grows() throws Http2Exception {
    var one = write(first, false);
    var two = write(second, true);
    channel.flush();
    grow(100_000 - WINDOW);
    assertThat(one.isSuccess()).isTrue();
    assertThat(two.isDone()).isFalse();
    assertThat(stream.state()).isEqualTo(Http2Stream.State.HALF_CLOSED_REMOTE);
    grow(10);
    assertThat(two.isSuccess()).isTrue();
    assertThat(stream.state()).isEqualTo(Http2Stream.State.CLOSED);
  }

  @Test
  void trailers_need_no_window_but_wait_for_what_is_before_them() throws Http2Exception {
    var _ = write(first, false);
    var last = http2.encoder().writeHeaders(context(), 1, head(), 0, true, channel.newPromise());
    channel.flush();
    assertThat(last.isDone()).isFalse();
    grow(100_000 - WINDOW);
    assertThat(last.isSuccess()).isTrue();
  }

  @Test
  void what_was_not_taken_is_released_and_told_when_its_stream_closes() {
    var one = write(first, false);
    var two = write(second, true);
    channel.flush();
    stream.close();
    assertThat(one.isSuccess() || two.isSuccess()).isFalse();
    assertThat(one.isDone() && two.isDone()).isTrue();
    channel.releaseOutbound();
    assertThat(first.refCnt() + second.refCnt()).isZero();
  }

  private void grow(int bytes) throws Http2Exception {
    http2.encoder().flowController().incrementWindowSize(stream, bytes);
    channel.flush();
  }

  private ChannelFuture write(ByteBuf data, boolean end) {
    return http2.encoder().writeData(context(), 1, data, 0, end, channel.newPromise());
  }

  private ChannelHandlerContext context() {
    return channel.pipeline().context(http2);
  }

  private static DefaultHttp2Headers head() {
    var head = new DefaultHttp2Headers();
    head.status("200");
    return head;
  }
}
