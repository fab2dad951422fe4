package dev.roost.server.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker's way to its supervisor and back, both in this process.
class LinkTest {
  @TempDir private Path folder = Path.of("");
  private final EventLoopGroup loops = Link.newLoop();
  private final EventLoopGroup workersLoop = Link.newLoop();
  private final Supervisor supervisor = new Supervisor();
  private final Ear worker = new Ear();
  private LinkServer server;
  private Arrival arrival;

  @BeforeEach
  void meet() throws Exception {
    server = LinkServer.open(folder.resolve("link"), loops, _ -> Optional.of(supervisor));
    arrival = Arrival.at(folder.resolve("link"), workersLoop, worker).get(20, TimeUnit.SECONDS);
    assertThat(supervisor.ear.next().kind()).isEqualTo(FrameKind.ADOPTED);
  }

  @AfterEach
  void part() throws IOException {
    server.close();
    var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    var _ = workersLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    supervisor.socket.close();
  }

  @Test
  void a_worker_gets_a_socket_of_its_own() throws Exception {
    assertThat(arrival.socket().intValue()).isNotEqualTo(supervisor.socket.intValue());
    assertThat(new Socket(arrival.socket().intValue()).localAddress())
        .isEqualTo(supervisor.socket.localAddress());
  }

  @Test
  void frames_arrive_whole_and_in_order_whatever_their_size() throws Exception {
    var big = Buffer.buffer(new byte[Frame.BODY_BYTES_MAX]);
    arrival.link().send(new Frame(FrameKind.METRICS, big));
    arrival.link().send(Frame.of(FrameKind.READY));
    assertThat(supervisor.ear.next().body()).isEqualTo(big);
    assertThat(supervisor.ear.next().kind()).isEqualTo(FrameKind.READY);
    supervisor.link.join().send(Frame.of(FrameKind.STOP));
    assertThat(worker.next().kind()).isEqualTo(FrameKind.STOP);
  }

  @Test
  void a_body_that_is_too_large_is_refused_where_it_is_made() {
    var tooBig = Buffer.buffer(new byte[Frame.BODY_BYTES_MAX + 1]);
    assertThatThrownBy(() -> new Frame(FrameKind.METRICS, tooBig))
        .hasMessage("body: 4194305 bytes are more than 4194304");
  }

  @Test
  void beyond_the_outbox_frames_are_dropped_and_counted() throws Exception {
    var asleep = new CountDownLatch(1);
    loops.next().execute(() -> wait(asleep)); // the other side reads nothing
    var link = arrival.link();
    var big = new Frame(FrameKind.METRICS, Buffer.buffer(new byte[Frame.BODY_BYTES_MAX]));
    int sent = 0;
    while (link.send(big)) {
      sent++;
    }
    asleep.countDown();
    assertThat(sent).isBetween(3, 4);
    assertThat(link.dropped()).isEqualTo(1);
    for (var each = 0; each < sent; each++) {
      assertThat(supervisor.ear.next()).isEqualTo(big);
    }
  }

  @Test
  void each_side_hears_when_the_other_has_gone_after_what_it_said() throws Exception {
    arrival.link().send(Frame.of(FrameKind.READY));
    arrival.link().close().get(20, TimeUnit.SECONDS);
    assertThat(supervisor.ear.next().kind()).isEqualTo(FrameKind.READY);
    supervisor.ear.ended.get(20, TimeUnit.SECONDS);
  }

  @Test
  void a_stranger_is_sent_away() throws Exception {
    var other = folder.resolve("other");
    try (var _ = LinkServer.open(other, loops, _ -> Optional.empty())) {
      var refused = Arrival.at(other, workersLoop, new Ear());
      assertThatThrownBy(() -> refused.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("no socket was handed over");
    }
  }

  private static void wait(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static class Ear implements Link.Listener {
    private final BlockingQueue<Frame> heard = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    Frame next() throws InterruptedException {
      var frame = heard.poll(20, TimeUnit.SECONDS);
      assertThat(frame).isNotNull();
      return frame;
    }

    @Override
    public void received(Frame frame) {
      heard.add(frame);
    }

    @Override
    public void closed() {
      ended.complete(null);
    }
  }

  private static final class Supervisor implements LinkServer.Guest {
    private final Ear ear = new Ear();
    private final CompletableFuture<Link> link = new CompletableFuture<>();
    private final Socket socket = Socket.newSocketStream();

    @Override
    public FileDescriptor socket() {
      return socket;
    }

    @Override
    public void came(Link to) {
      link.complete(to);
    }

    @Override
    public void received(Frame frame) {
      ear.received(frame);
    }

    @Override
    public void closed() {
      ear.closed();
    }
  }
}
