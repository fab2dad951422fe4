package dev.roost.gate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.gate.protocol.Expected;
import dev.roost.gate.protocol.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  @Test
  void the_defaults_are_those_of_the_issue() {
    var arguments = parse();
    assertThat(arguments.limits().connections()).isEqualTo(10_000);
    assertThat(arguments.limits().rampMax()).hasSeconds(180);
    assertThat(arguments.limits().rounds()).isEqualTo(2);
    assertThat(arguments.plan().hold()).hasSeconds(30);
    assertThat(arguments.plan().target().addresses()).hasSize(4);
  }

  @Test
  void an_option_replaces_its_default() {
    assertThat(parse("--hold-seconds", "7").plan().hold()).hasSeconds(7);
    assertThat(parse("--body", "x\n").plan().target().asking().body())
        .isEqualTo(Expected.body("x\n"));
    assertThat(parse("--addresses", "127.0.0.9").plan().target().addresses())
        .containsExactly("127.0.0.9");
  }

  @Test
  void http_2_and_a_body_told_by_its_end_can_be_asked_for() {
    var asking = parse("--protocol", "h2", "--body-end", "</html>").plan().target().asking();
    assertThat(asking.protocol()).isEqualTo(Protocol.HTTP2);
    assertThat(asking.body()).isEqualTo(Expected.end("</html>"));
  }

  @Test
  void each_client_has_a_source_and_a_command_of_its_own() {
    var spread =
        parse("--clients", "3", "--sources", "127.1.0.1,127.1.0.2", "--client-prefix", "in ns%d")
            .spread();
    assertThat(spread.command(List.of("java", "Gate"), 2))
        .containsExactly("in", "ns2", "java", "Gate", "--follow", "2");
    assertThat(parse("--sources", "127.1.0.1,127.1.0.2", "--follow", "3").spread().source())
        .contains("127.1.0.2");
    assertThat(spread.paths(4)).isEqualTo(12);
  }

  @Test
  void half_and_the_marks_below_all_are_measured_in_order() {
    var plan = parse("--marks", "70,10,100").plan();
    assertThat(plan.marksTo(100)).containsExactly(10, 50, 70, 100);
    assertThat(plan.marksTo(1)).containsExactly(1);
  }

  @Test
  void what_is_wrong_is_refused_with_its_name() {
    assertRefused("unknown option --colour", "--colour", "red");
    assertRefused("--rounds has no value", "--rounds");
    assertRefused("--rounds is given twice", "--rounds", "2", "--rounds", "3");
    assertRefused("--rounds is two", "--rounds", "two");
    assertRefused("--rounds is 4294967297", "--rounds", "4294967297");
    assertRefused("rounds is 0", "--rounds", "0");
    assertRefused("warm-up is 1001", "--warm-up", "1001");
    assertRefused("protocol is h3", "--protocol", "h3");
    assertRefused("clients is 0", "--clients", "0");
    assertRefused("in-flight is 0", "--in-flight", "0");
    assertRefused("path is nowhere", "--path", "nowhere");
    assertRefused("expected an option but found now", "now", "then");
  }

  @Test
  void a_port_out_of_range_is_refused() {
    assertThatThrownBy(
            () -> Arguments.parse(List.of("--port", "65536", "--pid", "1", "--bytes-max", "1")))
        .hasMessage("port is 65536, allowed is 1..65535");
  }

  private static Arguments parse(String... more) {
    var words = new ArrayList<>(List.of("--port", "9443", "--pid", "1", "--bytes-max", "8192"));
    words.addAll(List.of(more));
    return Arguments.parse(words);
  }

  private static void assertRefused(String message, String... more) {
    assertThatThrownBy(() -> parse(more))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
