package dev.roost.gate.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// What the machine allows: without it a run would measure the machine's limits, not the server.
///
/// @param clientFiles descriptors one client process may open
/// @param serverFiles descriptors one process of the server may open
/// @param portsPerPath ephemeral ports from one source to one destination address
/// @param tracked connections the firewall's table may hold besides those in it; empty if it is not
///   loaded
/// @param memoryBytes memory the machine has to spare
public record Capacity(
    long clientFiles, long serverFiles, long portsPerPath, OptionalLong tracked, long memoryBytes) {
  /// Descriptors for anything but held connections: jars, logs, epoll sets, listeners.
  private static final int FILES_RESERVED = 200;

  /// The kernel spreads connections over processes by a hash, not evenly: a twentieth more.
  private static final int UNEVEN_PART = 20;

  private static final long BYTES_PER_KB = 1024;
  private static final Path CONNTRACK = Path.of("/proc/sys/net/netfilter");

  /// Reads what applies to this process and to the server's.
  ///
  /// @throws IOException if the server's process is gone
  public static Capacity towards(long serverPid) throws IOException {
    return new Capacity(
        openFiles(Files.readString(Path.of("/proc/self/limits"))),
        openFiles(Files.readString(Path.of("/proc", Long.toString(serverPid), "limits"))),
        ports(firstRead(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))),
        untracked(),
        BYTES_PER_KB
            * Long.parseLong(
                Machine.field(Path.of("/proc/meminfo"), "MemAvailable", "0")
                    .replaceAll("[^0-9]", "")));
  }

  private static OptionalLong untracked() throws IOException {
    if (!Files.exists(CONNTRACK.resolve("nf_conntrack_max"))) {
      return OptionalLong.empty();
    }
    long max = Long.parseLong(firstRead(CONNTRACK.resolve("nf_conntrack_max")).strip());
    long now = Long.parseLong(firstRead(CONNTRACK.resolve("nf_conntrack_count")).strip());
    return OptionalLong.of(max - now);
  }

  /// One sentence for each limit that is too low for `need`.
  public List<String> missingFor(Need need) {
    var missing = new ArrayList<String>();
    long clientFilesNeeded =
        Math.ceilDiv((long) need.connections(), need.clients()) + FILES_RESERVED;
    if (clientFiles < clientFilesNeeded) {
      missing.add(
          "the client may open %d files, needed are %d".formatted(clientFiles, clientFilesNeeded));
    }
    long serverFilesNeeded =
        Math.ceilDiv((long) need.connections(), need.processes()) + FILES_RESERVED;
    if (need.processes() > 1) {
      serverFilesNeeded += serverFilesNeeded / UNEVEN_PART;
    }
    if (serverFiles < serverFilesNeeded) {
      missing.add(
          "the server may open %d files, needed are %d".formatted(serverFiles, serverFilesNeeded));
    }
    if (portsPerPath * need.paths() < need.connections()) {
      missing.add(
          "%d addresses have %d ephemeral ports (net.ipv4.ip_local_port_range), needed are %d"
              .formatted(need.paths(), portsPerPath * need.paths(), need.connections()));
    }
    if (tracked.isPresent() && tracked.getAsLong() < need.connections()) {
      missing.add(
          ("the firewall may track %d more connections (net.netfilter.nf_conntrack_max),"
                  + " needed are %d")
              .formatted(tracked.getAsLong(), need.connections()));
    }
    if (memoryBytes < need.memoryBytes()) {
      missing.add(
          "the machine has %d MiB to spare, needed are %d (client, kernel and server)"
              .formatted(memoryBytes >> 20, need.memoryBytes() >> 20));
    }
    return missing;
  }

  /// A file of /proc/sys gives its text to the first read only, and `Files.readString` begins with
  /// one of a single byte.
  private static String firstRead(Path file) throws IOException {
    try (var stream = Files.newInputStream(file)) {
      byte[] bytes = new byte[64];
      int length = Math.max(0, stream.read(bytes));
      return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
  }

  /// The soft limit in a /proc/PID/limits text.
  static long openFiles(String limits) {
    return limits
        .lines()
        .filter(line -> line.startsWith("Max open files"))
        .map(line -> line.substring("Max open files".length()).strip().split(" +", -1)[0])
        .mapToLong(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no line 'Max open files'"));
  }

  /// The size of a range such as `32768 60999`.
  static long ports(String range) {
    long[] ends = Stream.of(range.strip().split("\\s+", -1)).mapToLong(Long::parseLong).toArray();
    return ends[1] - ends[0] + 1;
  }
}
