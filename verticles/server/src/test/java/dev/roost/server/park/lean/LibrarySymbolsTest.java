package dev.roost.server.park.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.internal.tcnative.SSL;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions are found in a library's symbol table, and a broken table is refused.
class LibrarySymbolsTest {

  private static final Set<String> NAMES = Set.of("SSL_get_read_sequence", "SSL_free", "no_such");

  @ParameterizedTest
  @ValueSource(strings = {"x86_64", "aarch_64"})
  void functions_are_found_on_every_machine_that_has_the_library(String machine)
      throws IOException {
    var functions = new LibrarySymbols(library(machine)).functions(NAMES);
    assertThat(functions).containsOnlyKeys("SSL_get_read_sequence", "SSL_free");
    assertThat(functions.values())
        .allSatisfy(
            function -> {
              assertThat(function.code().remaining()).isBetween(8, 4_096);
              assertThat(function.address()).isPositive();
            });
  }

  @Test
  void what_is_no_library_is_refused() {
    for (var bytes : new int[] {0, 3, 16, 4_096}) {
      var file = new LibrarySymbols(new byte[bytes]);
      assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> file.functions(NAMES));
    }
  }

  @Test
  void a_library_that_is_cut_or_scribbled_on_never_fails_in_another_way() throws IOException {
    var library = library("x86_64");
    var random = new Random(1);
    for (var each = 0; each < 40; each++) {
      var broken = Arrays.copyOf(library, library.length - random.nextInt(library.length));
      for (var scribbles = 0; scribbles < 2_000; scribbles++) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      broken[Math.min(broken.length - 1, 40 + random.nextInt(24))] ^= (byte) each;
      foundOrRefused(broken);
    }
  }

  private static void foundOrRefused(byte[] broken) {
    try {
      assertThat(NAMES).containsAll(new LibrarySymbols(broken).functions(NAMES).keySet());
    } catch (LinkageError refused) {
      assertThat(refused).hasMessageMatching("not an ELF library.*|a broken symbol table");
    }
  }

  private static byte[] library(String machine) throws IOException {
    var name = "META-INF/native/libnetty_tcnative_linux_" + machine + ".so";
    try (var in = SSL.class.getClassLoader().getResourceAsStream(name)) {
      assumeTrue(in != null, name);
      return in.readAllBytes();
    }
  }
}
