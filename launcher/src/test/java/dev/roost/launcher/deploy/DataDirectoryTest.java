package dev.roost.launcher.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Setting;
import dev.roost.launcher.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final Setting SETTING = Settings.of(List.of()).setting(Catalogue.DATA_DIR);

  @TempDir private Path folder = Path.of("");

  @Test
  void it_is_made_for_its_owner_alone() throws IOException {
    try (var data = DataDirectory.open(folder.resolve("a/data"), SETTING)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.folder())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void a_second_one_is_refused_with_the_process_that_holds_it() throws IOException {
    try (var _ = DataDirectory.open(folder, SETTING)) {
      assertThatThrownBy(() -> DataDirectory.open(folder, SETTING))
          .hasMessage(
              "data.dir: %s is in use by process %d (built in)"
                  .formatted(folder, ProcessHandle.current().pid()));
    }
  }

  @Test
  void it_is_free_again_when_closed() throws IOException {
    DataDirectory.open(folder, SETTING).close();
    try (var data = DataDirectory.open(folder, SETTING)) {
      assertThat(data.folder()).isEqualTo(folder);
    }
  }

  @Test
  void a_file_in_its_place_is_refused() throws IOException {
    var file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> DataDirectory.open(file, SETTING))
        .hasMessage("data.dir: %s is not a folder (built in)".formatted(file));
  }
}
