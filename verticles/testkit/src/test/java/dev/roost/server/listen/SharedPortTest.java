package dev.roost.server.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TrustAll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One port whose sockets stay open while servers come and go on them.
class SharedPortTest {
  private static final int SLOTS = 3;

  private SharedPort port;

  SharedPortTest() {}

  @BeforeEach
  void open() throws IOException {
    port = SharedPort.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SLOTS);
  }

  @AfterEach
  void close() throws IOException {
    port.close();
  }

  @Test
  void a_server_answers_on_the_socket_that_it_was_handed() throws IOException {
    port.steer(slots(1));
    try (var _ = Heir.of(port, 1, "one")) {
      assertThat(Patience.await(ask(newClient()))).isEqualTo("one");
    }
  }

  @Test
  void who_comes_while_nobody_accepts_waits_for_the_next_server() throws IOException {
    port.steer(slots(2));
    var answer = ask(newClient());
    Patience.until("it waits in the kernel", () -> waiting(2));
    try (var _ = Heir.of(port, 2, "late")) {
      assertThat(Patience.await(answer)).isEqualTo("late");
    }
  }

  @Test
  void the_end_of_a_server_leaves_the_socket_to_the_next_one() throws IOException {
    port.steer(slots(0));
    Heir.of(port, 0, "first").close();
    try (var _ = Heir.of(port, 0, "second")) {
      assertThat(Patience.await(ask(newClient()))).isEqualTo("second");
    }
  }

  @Test
  void one_that_accepts_no_more_still_serves_whom_it_has() throws IOException {
    port.steer(slots(0));
    var kept = newClient();
    try (var old = Heir.of(port, 0, "old")) {
      assertThat(Patience.await(ask(kept))).isEqualTo("old");
      old.stopAccepting();
      try (var _ = Heir.of(port, 0, "new")) {
        for (var each = 0; each < 20; each++) {
          assertThat(Patience.await(ask(newClient()))).isEqualTo("new");
        }
        assertThat(Patience.await(ask(kept))).isEqualTo("old");
      }
    }
  }

  @Test
  void new_connections_are_spread_over_the_slots_they_are_steered_to() throws IOException {
    port.steer(slots(0, 2));
    connect(60);
    assertThat(accepted(1)).isZero();
    assertThat(accepted(0)).isBetween(10, 50);
    port.steer(slots(1));
    connect(5);
    assertThat(accepted(1)).isEqualTo(5);
  }

  @Test
  void a_port_in_use_is_refused() throws IOException {
    try (var taken = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var address = (InetSocketAddress) taken.getLocalSocketAddress();
      assertThatThrownBy(() -> SharedPort.open(address, 2)).hasMessageContaining("in use");
    }
  }

  private void connect(int times) throws IOException {
    for (var each = 0; each < times; each++) {
      new java.net.Socket(InetAddress.getLoopbackAddress(), port.port()).close();
    }
  }

  private int accepted(int slot) throws IOException {
    var socket = (Socket) port.descriptor(slot);
    var count = 0;
    for (var one = accept(socket); one >= 0; one = accept(socket)) {
      new Socket(one).close();
      count++;
    }
    return count;
  }

  private static int accept(Socket socket) throws IOException {
    return socket.accept(new byte[26]);
  }

  /// The kernel's name for connections not yet accepted is the unacknowledged of a listening
  /// socket.
  private boolean waiting(int slot) {
    try {
      var info = java.nio.ByteBuffer.allocate(104).order(java.nio.ByteOrder.nativeOrder());
      ((Socket) port.descriptor(slot)).getRawOpt(6, 11, info);
      return info.getInt(24) > 0; // tcp_info.tcpi_unacked
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static BitSet slots(int... slots) {
    var set = new BitSet();
    for (var slot : slots) {
      set.set(slot);
    }
    return set;
  }

  private final List<HttpClient> clients = new ArrayList<>();

  private HttpClient newClient() {
    var client =
        HttpClient.newBuilder()
            .sslContext(TrustAll.context())
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    clients.add(client);
    return client;
  }

  @AfterEach
  void closeClients() {
    clients.forEach(HttpClient::shutdownNow);
  }

  private CompletableFuture<String> ask(HttpClient client) {
    var uri = URI.create("https://127.0.0.1:%d/".formatted(port.port()));
    return client
        .sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .thenApply(answer -> answer.body());
  }
}
