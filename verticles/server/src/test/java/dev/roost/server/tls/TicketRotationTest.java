package dev.roost.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which keys there are, for how long, and what is left of them in the file.
class TicketRotationTest {
  private static final int KEY_BYTES = 56;

  private final List<String> used = new ArrayList<>();
  private final AtomicInteger rotations = new AtomicInteger();
  @TempDir private Path folder = Path.of("");

  @Test
  void a_first_start_makes_a_key_that_its_user_alone_may_read() throws IOException {
    start().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(Files.size(file())).isEqualTo(KEY_BYTES);
    assertThat(used).containsExactly(stored());
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void a_rotation_puts_a_new_key_in_front_and_drops_the_oldest() {
    try (var rotation = start()) {
      rotation.rotate();
      rotation.rotate();
      rotation.rotate();
    }
    var last = used.getLast();
    assertThat(used.stream().map(keys -> keys.length() / 2 / KEY_BYTES))
        .containsExactly(1, 2, 3, 3);
    assertThat(last.substring(2 * KEY_BYTES)).isEqualTo(used.get(2).substring(0, 4 * KEY_BYTES));
    assertThat(last).doesNotContain(used.getFirst()).isEqualTo(stored());
    assertThat(rotations).hasValue(3);
  }

  @Test
  void a_restart_goes_on_with_the_file() {
    start().close();
    start().close();
    assertThat(used).hasSize(2).containsOnly(stored());
    assertThat(rotations).hasValue(0);
  }

  @Test
  void a_key_that_has_become_old_while_nobody_ran_seals_no_more() throws IOException {
    write(keys(Duration.ofHours(13)));
    start().close();
    assertThat(used.getLast().substring(2 * KEY_BYTES)).isEqualTo(used.getFirst());
    assertThat(rotations).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT36H", "-PT1H"})
  void a_key_that_is_too_old_or_from_the_future_is_not_used(Duration age) throws IOException {
    var keys = keys(age);
    write(keys);
    start().close();
    assertThat(used).hasSize(1).doesNotContain(hex(keys)).containsExactly(stored());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 55, 57, 17 * 56})
  void a_broken_file_gives_way_to_new_keys(int bytes) throws IOException {
    write(new byte[bytes]);
    start().close();
    assertThat(used).hasSize(1).containsExactly(stored());
    assertThatThrownBy(() -> TicketKeys.of(new byte[bytes]))
        .hasMessage("%d bytes are no ticket keys", bytes);
  }

  @Test
  void a_folder_that_cannot_be_written_stops_nothing() {
    var tickets =
        new TlsSettings.Tickets(Duration.ofHours(12), 3, Optional.of(Path.of("/no/keys")));
    TicketRotation.start(tickets, this::used, rotations::incrementAndGet).close();
    assertThat(used).hasSize(1);
  }

  @Test
  void what_is_dropped_is_overwritten() {
    var keys = TicketKeys.fresh(Instant.now());
    keys.wipe();
    assertThat(keys.encoded()).containsOnly(0);
  }

  private static byte[] keys(Duration age) {
    return TicketKeys.fresh(Instant.now().minus(age)).encoded();
  }

  private TicketRotation start() {
    var tickets = new TlsSettings.Tickets(Duration.ofHours(12), 3, Optional.of(file()));
    return TicketRotation.start(tickets, this::used, rotations::incrementAndGet);
  }

  private void used(TicketKeys keys) {
    used.add(hex(keys.encoded()));
  }

  private Path file() {
    return folder.resolve("ticket-keys");
  }

  private void write(byte[] bytes) throws IOException {
    Files.write(file(), bytes);
  }

  private String stored() {
    try {
      return hex(Files.readAllBytes(file()));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(Arrays.copyOf(bytes, bytes.length));
  }
}
