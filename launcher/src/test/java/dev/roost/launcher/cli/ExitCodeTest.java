package dev.roost.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {

  @ParameterizedTest
  @CsvSource({
    "SETTINGS,3",
    "APPLICATION,4",
    "BIND,5",
    "CERTIFICATE,6",
    "DATABASE,7",
    "TRANSPORT,8"
  })
  void each_stage_has_its_own(Stage stage, int code) {
    assertThat(ExitCode.of(new StartRefusal(stage, "")).number()).isEqualTo(code);
  }

  @Test
  void what_nobody_foresaw_is_a_mistake_of_ours() {
    assertThat(ExitCode.of(new IllegalStateException()).number()).isEqualTo(1);
  }

  @Test
  void the_guide_lists_the_same() throws IOException {
    var guide = Files.readString(Path.of("../docs/guides/exit-codes.md"));
    assertThat(guide)
        .contains(
            Arrays.stream(ExitCode.values())
                .map(code -> "| %d | %s |".formatted(code.number(), code.meaning()))
                .toList());
  }
}
