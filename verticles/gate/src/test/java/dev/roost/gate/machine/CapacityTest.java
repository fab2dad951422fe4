package dev.roost.gate.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CapacityTest {
  private static final Capacity AMPLE =
      new Capacity(20_000, 20_000, 28_232, OptionalLong.empty(), 8L << 30);

  @Test
  void an_ample_machine_misses_nothing() {
    assertThat(AMPLE.missingFor(new Need(18_000, 1, 1, 4))).isEmpty();
  }

  @Test
  void each_low_limit_is_named_with_what_is_needed() {
    var poor = new Capacity(1024, 4096, 2_000, OptionalLong.of(5_000), 256 << 20);
    assertThat(poor.missingFor(new Need(10_000, 1, 1, 4)))
        .containsExactly(
            "the client may open 1024 files, needed are 10200",
            "the server may open 4096 files, needed are 10200",
            "4 addresses have 8000 ephemeral ports (net.ipv4.ip_local_port_range),"
                + " needed are 10000",
            "the firewall may track 5000 more connections (net.netfilter.nf_conntrack_max),"
                + " needed are 10000",
            "the machine has 256 MiB to spare, needed are 419 (client, kernel and server)");
  }

  @Test
  void several_processes_share_the_connections_but_not_evenly() {
    assertThat(AMPLE.missingFor(new Need(100_000, 6, 6, 4))).isEmpty();
    assertThat(AMPLE.missingFor(new Need(100_000, 6, 5, 4)))
        .containsExactly("the server may open 20000 files, needed are 21210");
    assertThat(AMPLE.missingFor(new Need(100_000, 5, 6, 4)))
        .containsExactly("the client may open 20000 files, needed are 20200");
  }

  @Test
  void the_soft_limit_of_open_files_is_read() {
    var limits =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             96000                96000                processes
        Max open files            1024                 20000                files
        """;
    assertThat(Capacity.openFiles(limits)).isEqualTo(1024);
    assertThat(Capacity.openFiles(limits.replace("1024 ", "unlimited "))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void both_ends_of_the_port_range_count() {
    assertThat(Capacity.ports("32768\t60999\n")).isEqualTo(28_232);
  }

  @Test
  void this_machine_can_be_read() throws IOException {
    var here = Capacity.towards(ProcessHandle.current().pid());
    assertThat(here.clientFiles()).isEqualTo(here.serverFiles()).isPositive();
    assertThat(here.portsPerPath()).isPositive();
    assertThat(Machine.here().memoryBytes()).isPositive();
  }

  @Test
  void a_server_that_is_gone_cannot_be_read() throws Exception {
    var process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThatThrownBy(() -> Capacity.towards(process.pid())).isInstanceOf(IOException.class);
  }
}
