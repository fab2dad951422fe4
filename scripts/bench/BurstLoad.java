import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Requests that come all at once on idle connections; a pause when all are answered, and again.
/// Each latency counts from the first write of its burst.
final class BurstLoad extends Load {
  private static final int PAUSE_MILLISECONDS = 20;

  private final List<Channel> channels;
  private final ByteBuf request;
  private long began;
  private int missing;

  BurstLoad(int port, String path, int connections) throws Exception {
    super(port);
    request = Wire.get(path);
    channels = wire.open(connections, () -> List.of(new Answers(wire, this::answered)));
    wire.loop().execute(this::burst);
  }

  private void burst() {
    missing = channels.size();
    began = System.nanoTime();
    channels.forEach(
        channel -> channel.writeAndFlush(request.duplicate(), channel.voidPromise()));
  }

  private void answered(int count) {
    latencies.record(began);
    missing -= count;
    if (missing == 0) {
      wire.loop().schedule(this::burst, PAUSE_MILLISECONDS, TimeUnit.MILLISECONDS);
    }
  }
}
