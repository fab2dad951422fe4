package dev.roost.server.settings;

import java.time.Duration;

/// Keys `tls.park`, `tls.park-after` and `memory.*`.
///
/// @param kind what is kept of an idle connection
/// @param after silence after which a connection is parked, 100 ms..1 day
/// @param leanAfter time that a connection is silent until it is parked without BoringSSL's state,
///   0..1 day; of no account unless `kind` is [Kind#LEAN]
/// @param trimAfter time without work after which the process gives memory back, 1 s..1 day, or 0
///   for never
public record ParkSettings(Kind kind, Duration after, Duration leanAfter, Duration trimAfter) {

  /// What is kept of an idle connection.
  public enum Kind {
    /// All of it.
    OFF,
    /// Its socket and the TLS library's own state.
    ENGINE,
    /// The same at first; later its socket and two secrets, where it speaks TLS 1.3.
    LEAN
  }

  public ParkSettings {
    Require.between("tls.park-after", after, Duration.ofMillis(100), Duration.ofDays(1));
    Require.between("tls.lean-after", leanAfter, Duration.ZERO, Duration.ofDays(1));
    if (!trimAfter.isZero()) {
      Require.between("memory.trim-after", trimAfter, Duration.ofSeconds(1), Duration.ofDays(1));
    }
  }

  /// The built-in defaults.
  public static ParkSettings builtIn() {
    return new ParkSettings(
        Kind.ENGINE, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(3));
  }

  /// Nothing is parked, and nothing given back.
  public static ParkSettings off() {
    return new ParkSettings(Kind.OFF, Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);
  }
}
