package dev.roost.gate.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// What one process and all its descendants hold: VmRSS plus VmSwap, as proc_pid_status(5) has
/// them. Swap is counted because a page that was swapped out is still the server's. Immutable.
///
/// @param pid the root of the process tree
public record ProcessMemory(long pid) {
  private static final long BYTES_PER_KB = 1024;

  /// The tree's memory now, in bytes; empty if the root process is gone.
  public OptionalLong bytes() {
    return sum("status", ProcessMemory::parse);
  }

  /// The tree's proportional set size, swap included: a page that several processes share counts as
  /// a part in each. Dear for a large process, so not to be sampled; empty if the root process is
  /// gone or belongs to somebody else.
  public OptionalLong sharedOutBytes() {
    return sum("smaps_rollup", ProcessMemory::parseRollup);
  }

  /// The tree now: the root first.
  public LongStream pids() {
    return LongStream.concat(
        LongStream.of(pid),
        ProcessHandle.of(pid)
            .map(ProcessHandle::descendants)
            .orElseGet(Stream::empty)
            .mapToLong(ProcessHandle::pid));
  }

  private OptionalLong sum(String file, Function<String, OptionalLong> parser) {
    OptionalLong root = read(pid, file, parser);
    if (root.isEmpty()) {
      return root;
    }
    long descendants = pids().skip(1).map(child -> read(child, file, parser).orElse(0)).sum();
    return OptionalLong.of(root.getAsLong() + descendants);
  }

  private static OptionalLong read(long pid, String file, Function<String, OptionalLong> parser) {
    try {
      return parser.apply(Files.readString(Path.of("/proc", Long.toString(pid), file)));
    } catch (IOException gone) {
      return OptionalLong.empty();
    }
  }

  /// Reads a status file's text; empty for a process without memory (a zombie or kernel thread).
  static OptionalLong parse(String status) {
    return kilobytes(status, "VmRSS:", "VmSwap:");
  }

  /// Reads a smaps_rollup file's text.
  static OptionalLong parseRollup(String rollup) {
    return kilobytes(rollup, "Pss:", "SwapPss:");
  }

  private static OptionalLong kilobytes(String text, String one, String other) {
    long kilobytes = 0;
    boolean found = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith(one) || line.startsWith(other)) {
        kilobytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
        found = true;
      }
    }
    return found ? OptionalLong.of(kilobytes * BYTES_PER_KB) : OptionalLong.empty();
  }
}
