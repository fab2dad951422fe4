import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LineBasedFrameDecoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Event streams that all get what is posted; each event tells when it was. System.nanoTime of one
/// process, so no two clocks are compared.
final class StreamLoad extends Load {
  private static final int LATE_SECONDS_MAX = 10;

  private final Channel publisher;
  private final int subscribers;
  private final int rate;
  private int opened;
  private long published;
  private long delivered;

  /// @param rate events published in a second
  StreamLoad(int port, int subscribers, int rate) throws Exception {
    super(port);
    this.subscribers = subscribers;
    this.rate = rate;
    publisher = wire.open(() -> List.of(new Answers(wire, _ -> {})));
    var request = Wire.get("/news/stream");
    wire.open(subscribers, () -> List.of(new LineBasedFrameDecoder(1_024), new Subscriber()))
        .forEach(channel -> channel.writeAndFlush(request.duplicate(), channel.voidPromise()));
    await(() -> opened == subscribers, "streams open");
  }

  @Override
  void run(double seconds) throws Exception {
    int events = (int) (seconds * rate);
    if (events == 0) {
      return;
    }
    var publishing =
        wire.loop()
            .scheduleAtFixedRate(this::publish, 0, 1_000_000 / rate, TimeUnit.MICROSECONDS);
    Thread.sleep((long) (1_000 * (events - 0.5) / rate));
    publishing.cancel(false);
    Thread.sleep((long) (1_000 * 0.5 / rate));
    await(() -> delivered == published * subscribers, "deliveries of every event");
  }

  private void publish() {
    published++;
    var now = Long.toString(System.nanoTime());
    publisher.writeAndFlush(Wire.request("POST /news", now.getBytes(US_ASCII)));
  }

  private void await(BooleanSupplier condition, String what) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LATE_SECONDS_MAX);
    while (!wire.ask(condition::getAsBoolean)) {
      wire.check();
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%s: not in %d s; %d streams, %d events, %d deliveries"
                .formatted(what, LATE_SECONDS_MAX, opened, published, delivered));
      }
      Thread.sleep(5);
    }
  }

  private final class Subscriber extends SimpleChannelInboundHandler<ByteBuf> {
    private static final String DATA = "data: ";

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
      var text = line.toString(US_ASCII);
      if (text.startsWith(DATA)) {
        delivered++;
        latencies.record(Long.parseLong(text, DATA.length(), text.length(), 10));
      } else if (text.equals("HTTP/1.1 200 OK")) {
        opened++;
      }
    }
  }
}
