package dev.roost.gate.crowd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.gate.cli.GateCommand;
import dev.roost.gate.client.LoopbackServer;
import dev.roost.gate.client.LoopbackServer.Asked;
import dev.roost.gate.verdict.IdleFigures;
import dev.roost.gate.verdict.Outcome;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Real client processes against a server in this one.
class FollowerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void several_processes_hold_and_ask_as_one_crowd() throws Exception {
    try (var server = LoopbackServer.behaving(Asked::answer);
        var leader = new Leader(commands(server.port(), 3))) {
      assertThat(leader.ramp(10, LIMIT).tally().counts()).isEqualTo(Map.of(Outcome.GOOD, 10));
      assertThat(leader.ramp(1, LIMIT).established()).isEqualTo(1);
      assertThat(leader.open()).isEqualTo(11);
      leader.ask(LIMIT);
      assertThat(leader.answers(LIMIT).tally().counts()).isEqualTo(Map.of(Outcome.GOOD, 11));
      assertThat(leader.idle()).isEqualTo(new IdleFigures(0, 0));
      leader.leave();
      assertThat(leader.open()).isZero();
    }
  }

  @Test
  void each_process_comes_from_its_own_address() throws Exception {
    Set<String> sources = ConcurrentHashMap.newKeySet();
    LoopbackServer.Behaviour noting =
        asked -> {
          sources.add(((InetSocketAddress) asked.channel().remoteAddress()).getHostString());
          asked.answer();
        };
    try (var server = LoopbackServer.behaving(noting);
        var leader = new Leader(commands(server.port(), 2))) {
      leader.ramp(4, LIMIT);
    }
    assertThat(sources).containsExactlyInAnyOrder("127.1.0.1", "127.1.0.2");
  }

  @Test
  void a_process_that_has_ended_is_told() throws Exception {
    try (var leader = new Leader(List.of(List.of("true")))) {
      assertThatThrownBy(leader::open)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has ended");
    }
  }

  private static List<List<String>> commands(int port, int clients) {
    return IntStream.range(0, clients).mapToObj(index -> command(port, index)).toList();
  }

  private static List<String> command(int port, int index) {
    var words = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java") + ""));
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.add(GateCommand.class.getName());
    words.addAll(List.of("--port", Integer.toString(port), "--pid", "1", "--bytes-max", "none"));
    words.addAll(List.of("--clients", "3", "--sources", "127.1.0.1,127.1.0.2"));
    words.addAll(List.of("--loops", "1", "--follow", Integer.toString(index)));
    return words;
  }
}
