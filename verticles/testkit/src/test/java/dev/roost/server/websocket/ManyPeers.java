package dev.roost.server.websocket;

import dev.roost.testkit.RawSocket;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.OpenSSLEngineOptions;
import java.util.concurrent.atomic.AtomicInteger;

/// Opens many WebSockets over TLS in a process of its own, since each has a descriptor at either
/// end. Prints `open` when all are open, `told` when each has got a frame, `lost` when one fails.
final class ManyPeers {

  private static final int AT_ONCE = 64;

  private final int port;
  private final int count;
  private final NetClient client;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger told = new AtomicInteger();

  private ManyPeers(int port, int count) {
    this.port = port;
    this.count = count;
    this.client =
        Vertx.vertx()
            .createNetClient(
                new NetClientOptions()
                    .setSsl(true)
                    .setTrustAll(true)
                    .setHostnameVerificationAlgorithm("")
                    .setSslEngineOptions(new OpenSSLEngineOptions())
                    .setConnectTimeout(60_000));
  }

  /// @param arguments the server's port, and how many sockets to open at `/wait`
  public static void main(String[] arguments) {
    var peers = new ManyPeers(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    for (var i = 0; i < AT_ONCE; i++) {
      peers.openNext();
    }
  }

  private void openNext() {
    if (asked.incrementAndGet() <= count) {
      client.connect(port, "127.0.0.1").onSuccess(this::upgrade).onFailure(ManyPeers::lost);
    }
  }

  private void upgrade(NetSocket socket) {
    socket.handler(answer -> upgraded(socket, answer)).exceptionHandler(ManyPeers::lost);
    socket.write(RawSocket.handshake("/wait")).onFailure(ManyPeers::lost);
  }

  private void upgraded(NetSocket socket, Buffer answer) {
    if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
      lost(new IllegalStateException(answer.toString()));
    }
    socket.handler(_ -> count(socket));
    say(open, "open");
    openNext();
  }

  private void count(NetSocket socket) {
    socket.handler(_ -> {});
    say(told, "told");
  }

  private void say(AtomicInteger counter, String word) {
    if (counter.incrementAndGet() == count) {
      System.out.println(word);
    }
  }

  private static void lost(Throwable failure) {
    System.out.println("lost " + failure);
  }
}
