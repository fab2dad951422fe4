import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A few connections that ask now and then, and are what is measured; beside them, on an event loop
/// of its own, what disturbs: one client that keeps requests pipelined, and one that posts a large
/// body for `/echo` to send back and never reads the answer.
final class ProbeLoad extends Load {
  private static final int PROBES = 8;
  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(20);

  /// More than the kernel's buffers of both ends take: the rest stays with the server.
  private static final int STALLED_BYTES = 9 << 20;

  private static final ByteBuf REQUEST = Wire.get("/");

  private final Wire disturbance;
  private Channel pipelining;
  private long pipelined;

  /// @param depth requests kept pipelined; 0: nothing disturbs
  ProbeLoad(int port, int depth) throws Exception {
    super(port);
    disturbance = new Wire(port);
    if (depth > 0) {
      stall();
      pipelining = disturbance.open(() -> List.of(new Answers(disturbance, this::refill)));
      disturbance.loop().execute(() -> refill(depth));
    }
    for (int i = 0; i < PROBES; i++) {
      var probe = new Probe();
      probe.channel = wire.open(() -> List.of(new Answers(wire, _ -> probe.answered())));
      probe.askAt(System.nanoTime() + i * INTERVAL / PROBES);
    }
  }

  private void stall() throws Exception {
    var stalled = disturbance.open(List::of);
    stalled.config().setAutoRead(false);
    stalled.writeAndFlush(Wire.request("POST /echo", new byte[STALLED_BYTES])).sync();
  }

  private void refill(int count) {
    pipelined += count;
    for (int i = 0; i < count; i++) {
      pipelining.write(REQUEST.duplicate(), pipelining.voidPromise());
    }
    pipelining.flush();
  }

  @Override
  void run(double seconds) throws Exception {
    super.run(seconds);
    disturbance.check();
  }

  @Override
  void begin() throws Exception {
    super.begin();
    disturbance.loop().submit(() -> pipelined = 0).get();
  }

  @Override
  String figures() throws Exception {
    long count = disturbance.ask(() -> pipelined);
    return "{\"pipelined\": " + count + ", " + super.figures().substring(1);
  }

  @Override
  public void close() {
    super.close();
    disturbance.close();
  }

  /// One probing connection. It asks once in each interval, or when the answer came if that is
  /// later.
  private final class Probe {
    private Channel channel;

    /// When it should ask: the latency counts from then.
    private long due;

    private void askAt(long time) {
      due = time;
      wire.loop().schedule(this::ask, time - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void ask() {
      channel.writeAndFlush(REQUEST.duplicate(), channel.voidPromise());
    }

    private void answered() {
      latencies.record(due);
      askAt(Math.max(due + INTERVAL, System.nanoTime()));
    }
  }
}
