package dev.roost.server.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Keys `reactor.*` and `instances`.
///
/// @param instances HTTP server verticles, one event loop each, 1..1024
/// @param continuationsMax requests of one loop that may be waiting for their answer, 1..1,048,576;
///   where none is left the connection is shed
/// @param connectionsMax connections the process holds, 1..16,777,216; beyond it 503 and close
/// @param blockedAfter how long a handler may hold its loop before it is named in the log, 50 ms..1
///   h
public record ReactorSettings(
    int instances, int continuationsMax, int connectionsMax, Duration blockedAfter) {

  private static final int CONTINUATIONS_MAX = 8_192;
  private static final Duration BLOCKED_AFTER = Duration.ofMillis(500);

  /// Descriptors kept for everything but connections: jars, the database, logs, connections that
  /// are being refused.
  private static final long RESERVE_MIN = 128;

  private static final int RESERVE_SHARE = 16;
  private static final int CONNECTIONS_MAX = 1 << 24;

  public ReactorSettings {
    Require.between("instances", instances, 1, 1_024);
    Require.between("reactor.continuations", continuationsMax, 1, 1 << 20);
    Require.between("reactor.connections", connectionsMax, 1, CONNECTIONS_MAX);
    Require.between(
        "reactor.blocked-after", blockedAfter, Duration.ofMillis(50), Duration.ofHours(1));
  }

  /// The built-in defaults.
  public static ReactorSettings of(int instances) {
    return of(instances, CONTINUATIONS_MAX);
  }

  /// The built-in defaults, with other continuations.
  public static ReactorSettings of(int instances, int continuationsMax) {
    return new ReactorSettings(instances, continuationsMax, connectionsAllowed(), BLOCKED_AFTER);
  }

  /// What the process may open, less a reserve.
  public static int connectionsAllowed() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      var files = unix.getMaxFileDescriptorCount();
      var reserve = Math.max(RESERVE_MIN, files / RESERVE_SHARE);
      return Math.clamp(files - reserve, 1, CONNECTIONS_MAX);
    }
    return CONNECTIONS_MAX;
  }
}
