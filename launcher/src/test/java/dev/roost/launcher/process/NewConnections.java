package dev.roost.launcher.process;

import dev.roost.testkit.TrustAll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;

/// Clients that open one TLS connection after the other, each for one request, and count those that
/// got no answer.
final class NewConnections implements AutoCloseable {
  private final int port;
  private final SSLContext tls = TrustAll.context();
  private final Set<Long> pids = ConcurrentHashMap.newKeySet();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong answers = new AtomicLong();
  private final List<Thread> clients;
  private volatile boolean closed;

  private NewConnections(int port, int clients) {
    this.port = port;
    this.clients =
        IntStream.range(0, clients).mapToObj(_ -> Thread.ofVirtual().start(this::run)).toList();
  }

  static NewConnections to(int port, int clients) {
    return new NewConnections(port, clients);
  }

  /// One connection, one answer.
  static long ask(int port, String path) throws IOException {
    try (var tcp = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return answer(TrustAll.context(), tcp, path);
    }
  }

  /// Processes that have answered.
  Set<Long> pids() {
    return Set.copyOf(pids);
  }

  void forgetPids() {
    pids.clear();
  }

  long answers() {
    return answers.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /// Opens no more, and waits for the last answers.
  void end() {
    closed = true;
    for (var client : clients) {
      try {
        client.join();
      } catch (InterruptedException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }

  @Override
  public void close() {
    end();
  }

  private void run() {
    while (!closed) {
      try (var tcp = new Socket(InetAddress.getLoopbackAddress(), port)) {
        pids.add(answer(tls, tcp, "/"));
        answers.incrementAndGet();
      } catch (IOException | NumberFormatException failure) {
        failures.add(failure.toString());
      }
    }
  }

  private static long answer(SSLContext tls, Socket tcp, String path) throws IOException {
    tcp.setSoTimeout(60_000);
    var socket = tls.getSocketFactory().createSocket(tcp, "127.0.0.1", tcp.getPort(), false);
    var request = "GET %s HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".formatted(path);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    var text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    if (!text.startsWith("HTTP/1.1 200")) {
      throw new IOException("answered " + text.lines().findFirst().orElse("nothing"));
    }
    return Long.parseLong(text.substring(text.indexOf("\r\n\r\n") + 4).strip());
  }
}
