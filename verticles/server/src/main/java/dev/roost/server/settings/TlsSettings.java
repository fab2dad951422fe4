package dev.roost.server.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Keys `tls.cert`, `tls.key` and `tls.tickets.*`.
///
/// @param certificate PEM file with the certificate chain, leaf first
/// @param key PEM file with the private key, PKCS #8
/// @param tickets with which clients resume
public record TlsSettings(Path certificate, Path key, Tickets tickets) {

  /// With the built-in tickets, whose keys are kept in memory.
  public TlsSettings(Path certificate, Path key) {
    this(certificate, key, Tickets.builtIn());
  }

  /// The same with other tickets.
  public TlsSettings with(Tickets tickets) {
    return new TlsSettings(certificate, key, tickets);
  }

  /// Session tickets (RFC 5077; RFC 8446, 4.6.1).
  ///
  /// @param rotate time for which one key seals them, 1 minute..7 days
  /// @param keep keys that open them, the one that seals included, 1..16
  /// @param file where the keys outlive the process; empty: they do not
  public record Tickets(Duration rotate, int keep, Optional<Path> file) {
    public Tickets {
      Require.between("tls.tickets.rotate", rotate, Duration.ofMinutes(1), Duration.ofDays(7));
      Require.between("tls.tickets.keep", keep, 1, 16);
    }

    /// The built-in defaults.
    public static Tickets builtIn() {
      return new Tickets(Duration.ofHours(12), 3, Optional.empty());
    }

    /// Age at which a key is dropped.
    public Duration keyLife() {
      return rotate.multipliedBy(keep);
    }
  }
}
