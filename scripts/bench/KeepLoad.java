import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.List;

/// Connections that ask, are silent for a while, and then ask again and again, each as soon as it is
/// answered. What the silence does to the server's side of them is the server's affair.
final class KeepLoad extends Load {
  private final ByteBuf request;
  private boolean silent = true;
  private int silentAnswers;

  KeepLoad(int port, String path, int connections, double silentSeconds) throws Exception {
    super(port);
    request = Wire.get(path);
    var channels = wire.open(connections, this::handlers);
    wire.loop().execute(() -> channels.forEach(this::ask));
    while (wire.ask(() -> silentAnswers) < connections) {
      Thread.sleep(10);
      wire.check();
    }
    Thread.sleep((long) (silentSeconds * 1_000));
    wire.loop()
        .execute(
            () -> {
              silent = false;
              channels.forEach(this::ask);
            });
  }

  private List<ChannelHandler> handlers() {
    var asker = new Asker();
    return List.of(new Answers(wire, asker::answered), asker);
  }

  private void ask(Channel channel) {
    channel.writeAndFlush(request.duplicate(), channel.voidPromise());
  }

  /// Knows when its own connection has asked. Confined to the event loop.
  private final class Asker extends ChannelInboundHandlerAdapter {
    private Channel channel;
    private long asked = System.nanoTime();

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      channel = context.channel();
    }

    private void answered(int count) {
      if (silent) {
        silentAnswers += count;
        return;
      }
      latencies.record(asked);
      asked = System.nanoTime();
      ask(channel);
    }
  }
}
