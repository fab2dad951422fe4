package dev.roost.gate.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// What one process and all its descendants hold: VmRSS plus VmSwap, as proc_pid_status(5) has
/// them. Swap is counted because a page that was swapped out is still the server's. Immutable.
///
/// @param pid the root of the process tree
public record ProcessMemory(long pid) {
  private static final long BYTES_PER_KB = 1024;

  /// The tree's memory now, in bytes; empty if the root process is gone.
  public OptionalLong bytes() {
    OptionalLong root = bytesOf(pid);
    if (root.isEmpty()) {
      return root;
    }
    long descendants =
        ProcessHandle.of(pid)
            .map(ProcessHandle::descendants)
            .orElseGet(Stream::empty)
            .toList()
            .stream()
            .mapToLong(child -> bytesOf(child.pid()).orElse(0))
            .sum();
    return OptionalLong.of(root.getAsLong() + descendants);
  }

  private static OptionalLong bytesOf(long pid) {
    try {
      return parse(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
    } catch (IOException gone) {
      return OptionalLong.empty();
    }
  }

  /// Reads a status file's text; empty for a process without memory (a zombie or kernel thread).
  static OptionalLong parse(String status) {
    long kilobytes = 0;
    boolean found = false;
    for (String line : status.lines().toList()) {
      if (line.startsWith("VmRSS:") || line.startsWith("VmSwap:")) {
        kilobytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
        found = true;
      }
    }
    return found ? OptionalLong.of(kilobytes * BYTES_PER_KB) : OptionalLong.empty();
  }
}
