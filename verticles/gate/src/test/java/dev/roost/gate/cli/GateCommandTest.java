package dev.roost.gate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.gate.client.LoopbackServer;
import dev.roost.gate.client.LoopbackServer.Asked;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GateCommandTest {
  private final ByteArrayOutputStream report = new ByteArrayOutputStream();
  private final ByteArrayOutputStream human = new ByteArrayOutputStream();

  @Test
  void a_good_server_exits_0_with_one_json_line() throws Exception {
    assertThat(against(Asked::answer, "--bytes-max", "2000000000")).isEqualTo(GateCommand.PASS);
    assertThat(text(report))
        .startsWith("{\"gate\":\"c10k\",\"verdict\":\"PASS\",\"reasons\":[],")
        .endsWith("}\n")
        .containsOnlyOnce("\n")
        .contains("\"server\":\"good \\\"one\\\"\"")
        .contains("\"established\":20,", "\"dropped\":0,", "\"connections\":20,")
        .containsPattern("\"idle_bytes\":\\d+,\"held_bytes\":\\d+,")
        .contains("\"jdk\":\"", "\"date\":\"", "\"processor\":\"", "\"kernel\":\"Linux ");
  }

  @Test
  void a_bad_server_exits_1_and_the_line_says_why() throws Exception {
    LoopbackServer.Behaviour bad = asked -> asked.answer("503 Busy", "");
    assertThat(against(bad, "--bytes-max", "2000000000")).isEqualTo(GateCommand.FAIL);
    assertThat(text(report))
        .contains("\"verdict\":\"FAIL\"", "ramp: 0 of 20 established", "\"wrong_status\":20")
        .contains("\"held_bytes\":null");
    assertThat(text(human)).contains("gate: FAIL");
  }

  @Test
  void a_wrong_command_line_exits_2_and_reports_nothing() throws Exception {
    assertThat(run(List.of("--port", "9443"))).isEqualTo(GateCommand.USAGE);
    assertThat(text(report)).isEmpty();
    assertThat(text(human)).contains("is missing").hasLineCount(1);
  }

  @Test
  void a_machine_that_cannot_hold_them_exits_3_and_reports_nothing() throws Exception {
    var pid = Long.toString(ProcessHandle.current().pid());
    var words =
        List.of("--port", "1", "--pid", pid, "--bytes-max", "1", "--connections", "2000000000");
    assertThat(run(words)).isEqualTo(GateCommand.UNABLE);
    assertThat(text(report)).isEmpty();
    assertThat(text(human)).contains("ephemeral ports");
  }

  @Test
  void a_server_process_that_is_gone_exits_3() throws Exception {
    var process = new ProcessBuilder("true").start();
    process.waitFor();
    var words = List.of("--port", "1", "--pid", Long.toString(process.pid()), "--bytes-max", "1");
    assertThat(run(words)).isEqualTo(GateCommand.UNABLE);
    assertThat(text(human)).contains("there is no process");
  }

  @Test
  void help_lists_the_options() throws Exception {
    assertThat(run(List.of("--help"))).isEqualTo(GateCommand.PASS);
    assertThat(text(human)).contains("--hold-seconds", "--bytes-max");
  }

  private int against(LoopbackServer.Behaviour behaviour, String... more) throws Exception {
    try (var server = LoopbackServer.behaving(behaviour)) {
      var words = new ArrayList<>(List.of("--name", "c10k", "--connections", "20"));
      words.addAll(List.of("--server", "good \"one\"", "--port", Integer.toString(server.port())));
      words.addAll(List.of("--pid", Long.toString(ProcessHandle.current().pid())));
      words.addAll(List.of("--warm-up", "5", "--quiet-seconds", "0", "--hold-seconds", "0"));
      words.addAll(List.of(more));
      return run(words);
    }
  }

  private int run(List<String> words) throws InterruptedException {
    var out = new PrintStream(report, true, StandardCharsets.UTF_8);
    var err = new PrintStream(human, true, StandardCharsets.UTF_8);
    return new GateCommand(out, err).run(words);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
