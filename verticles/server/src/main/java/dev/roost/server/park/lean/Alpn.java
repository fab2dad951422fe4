package dev.roost.server.park.lean;

import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What client and server have agreed to speak (RFC 7301).
enum Alpn {
  NONE(null),
  HTTP_1_1(ApplicationProtocolNames.HTTP_1_1),
  HTTP_2(ApplicationProtocolNames.HTTP_2);

  private final @Nullable String protocol;

  Alpn(@Nullable String protocol) {
    this.protocol = protocol;
  }

  /// Empty if it is a protocol that is not ours.
  static Optional<Alpn> of(@Nullable String protocol) {
    return Arrays.stream(values()).filter(a -> Objects.equals(a.protocol, protocol)).findFirst();
  }

  /// Its name in the registry; null if nothing was said.
  @Nullable String protocol() {
    return protocol;
  }
}
