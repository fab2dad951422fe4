package dev.roost.gate.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the machine allows: without it a run would measure the machine's limits, not the server.
///
/// @param clientFiles descriptors this process may open
/// @param serverFiles descriptors the server may open
/// @param portsPerAddress ephemeral ports towards one destination address
public record Capacity(long clientFiles, long serverFiles, long portsPerAddress) {
  /// Descriptors for anything but held connections: jars, logs, epoll sets, listeners.
  private static final int FILES_RESERVED = 200;

  /// Reads what applies to this process and to the server's.
  ///
  /// @throws IOException if the server's process is gone
  public static Capacity towards(long serverPid) throws IOException {
    return new Capacity(
        openFiles(Files.readString(Path.of("/proc/self/limits"))),
        openFiles(Files.readString(Path.of("/proc", Long.toString(serverPid), "limits"))),
        ports(firstRead(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))));
  }

  /// One sentence for each limit that is too low for `connections` over `addresses`.
  public List<String> missingFor(int connections, int addresses) {
    var missing = new ArrayList<String>();
    long files = (long) connections + FILES_RESERVED;
    if (clientFiles < files) {
      missing.add("the client may open %d files, needed are %d".formatted(clientFiles, files));
    }
    if (serverFiles < files) {
      missing.add("the server may open %d files, needed are %d".formatted(serverFiles, files));
    }
    if (portsPerAddress * addresses < connections) {
      missing.add(
          "%d addresses have %d ephemeral ports (net.ipv4.ip_local_port_range), needed are %d"
              .formatted(addresses, portsPerAddress * addresses, connections));
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
