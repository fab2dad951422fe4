package dev.roost.server.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebSocketFramesTest {

  private final List<String> told = new ArrayList<>();
  private final EmbeddedChannel channel = upgraded();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void a_peer_that_pings_and_reads_nothing_costs_one_pong() {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    for (var i = 0; i < 1_000; i++) {
      channel.writeInbound(ping(Integer.toString(i)));
    }
    assertThat(channel.<Object>readOutbound()).isNull();
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
    channel.runPendingTasks();
    assertThat(pong()).isEqualTo("999");
    assertThat(channel.<Object>readOutbound()).isNull();
  }

  @Test
  void each_ping_of_one_that_reads_is_answered() {
    channel.writeInbound(ping("a"), ping("b"));
    assertThat(pong()).isEqualTo("a");
    assertThat(pong()).isEqualTo("b");
    assertThat(told).containsSubsequence("ping a", "ping b", "heard");
  }

  @Test
  void the_idle_timeout_of_http_goes_with_the_upgrade() {
    assertThat(channel.pipeline().get("idle")).isNull();
  }

  private EmbeddedChannel upgraded() {
    var embedded = new EmbeddedChannel();
    embedded
        .pipeline()
        .addLast("idle", new ChannelInboundHandlerAdapter())
        .addLast("wsdecoder", new WebSocket13FrameDecoder(true, false, 1_024))
        .addLast("handler", new ChannelInboundHandlerAdapter());
    WebSocketFrames.on(embedded, new WebSocketFrames.Bounds(1_024, 1_024), null, new Telling());
    return embedded;
  }

  private static PingWebSocketFrame ping(String payload) {
    return new PingWebSocketFrame(Unpooled.copiedBuffer(payload, UTF_8));
  }

  private String pong() {
    PongWebSocketFrame pong = channel.readOutbound();
    try {
      return pong.content().toString(UTF_8);
    } finally {
      pong.release();
    }
  }

  private final class Telling implements WebSocketFrames.Peer {
    @Override
    public void heard() {
      told.add("heard");
    }

    @Override
    public void pinged(byte[] payload) {
      told.add("ping " + new String(payload, UTF_8));
    }

    @Override
    public void closes(int code, String reason) {
      told.add("closes " + code);
    }

    @Override
    public void inputEnded() {
      told.add("input ended");
    }

    @Override
    public void breaks(int code, String reason) {
      told.add("breaks " + code);
    }
  }
}
