package dev.roost.gate.protocol;

import java.util.function.Supplier;

/// What every connection asks for, and which body is right.
///
/// @param path what is asked for, starting with `/`; at most 100 bytes of ASCII
/// @param body the expected body
public record Asking(Protocol protocol, String path, Expected body) {
  private static final int PATH_MAX = 100;

  public Asking {
    if (!path.startsWith("/") || path.length() > PATH_MAX) {
      throw new IllegalArgumentException(
          "path is " + path + ", allowed is a path that starts with / of at most " + PATH_MAX);
    }
  }

  /// Makes the dialogues of one event loop's connections; each may be used there only.
  ///
  /// @param port the server's, for the authority that is asked
  public Supplier<Dialogue> dialogues(int port) {
    var authority = "localhost:" + port;
    return switch (protocol) {
      case HTTP1 -> {
        var shared = new Http1Dialogue(this, authority);
        yield () -> shared;
      }
      case HTTP2 -> () -> new Http2Dialogue(this, authority);
    };
  }
}
