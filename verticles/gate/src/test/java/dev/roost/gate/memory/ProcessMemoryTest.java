package dev.roost.gate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {

  @Test
  void resident_and_swapped_memory_are_added() {
    assertThat(
            ProcessMemory.parse(
                "Name:\tjava\nVmPeak:\t  9000 kB\nVmRSS:\t  70 kB\nVmSwap:\t 30 kB"))
        .hasValue(100 * 1024);
  }

  @Test
  void shared_pages_and_swap_count_as_the_part_that_is_ours() {
    var rollup = "Rss:  900 kB\nPss:   70 kB\nPss_Dirty: 5 kB\nSwap: 9 kB\nSwapPss: 30 kB\n";
    assertThat(ProcessMemory.parseRollup(rollup)).hasValue(100 * 1024);
  }

  @Test
  void a_process_without_memory_has_none() {
    assertThat(ProcessMemory.parse("Name:\tkthreadd\nState:\tS (sleeping)\n")).isEmpty();
  }

  @Test
  void a_process_that_is_gone_has_none() throws Exception {
    var process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThat(new ProcessMemory(process.pid()).bytes()).isEmpty();
  }

  @Test
  void children_are_counted() throws IOException {
    // The shell waits for its child: both are there until their input ends.
    var shell = new ProcessBuilder("sh", "-c", "cat; true").start();
    try (var _ = shell.outputWriter()) {
      while (shell.children().findAny().isEmpty()) {
        Thread.onSpinWait();
      }
      long child = shell.children().findAny().orElseThrow().pid();
      while (!name(child).equals("cat")) {
        Thread.onSpinWait();
      }
      var tree = new ProcessMemory(shell.pid()).bytes().orElseThrow();
      var leaf = new ProcessMemory(child).bytes().orElseThrow();
      assertThat(tree).isGreaterThan(leaf);
      assertThat(new ProcessMemory(shell.pid()).sharedOutBytes().orElseThrow()).isLessThan(tree);
    }
  }

  private static String name(long pid) throws IOException {
    return Files.readString(Path.of("/proc/" + pid + "/comm")).strip();
  }
}
