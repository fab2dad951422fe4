package dev.roost.server.park.lean;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a client has agreed to by ALPN (RFC 7301).
public enum Alpn {
  NONE(0, null),
  HTTP_1_1(1, "http/1.1"),
  HTTP_2(2, "h2");

  private final int code;
  private final @Nullable String protocol;

  Alpn(int code, @Nullable String protocol) {
    this.code = code;
    this.protocol = protocol;
  }

  /// @param protocol as BoringSSL tells it, null for none; empty if it is none of these
  static Optional<Alpn> of(@Nullable String protocol) {
    return Arrays.stream(values())
        .filter(alpn -> Objects.equals(alpn.protocol, protocol))
        .findFirst();
  }

  static Alpn coded(int code) {
    return Arrays.stream(values()).filter(alpn -> alpn.code == code).findFirst().orElseThrow();
  }

  /// 0 to 3.
  int code() {
    return code;
  }

  @Nullable String protocol() {
    return protocol;
  }
}
