package dev.roost.gate.protocol;

import java.util.Locale;

/// The protocol of a run's connections.
public enum Protocol {
  /// HTTP/1.1, without ALPN.
  HTTP1(""),
  /// HTTP/2, which the server has to agree to by ALPN.
  HTTP2("h2");

  private final String alpn;

  Protocol(String alpn) {
    this.alpn = alpn;
  }

  /// The name offered by ALPN (RFC 7301); empty if none is.
  public String alpn() {
    return alpn;
  }

  /// Reads `h1` or `h2`.
  ///
  /// @throws IllegalArgumentException if it is neither
  public static Protocol of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "h1" -> HTTP1;
      case "h2" -> HTTP2;
      default -> throw new IllegalArgumentException("protocol is " + name + ", allowed is h1, h2");
    };
  }
}
