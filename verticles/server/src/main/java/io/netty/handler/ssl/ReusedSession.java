package io.netty.handler.ssl;

import javax.net.ssl.SSLEngine;

/// Whether a handshake resumed a session, which Netty knows and tells only its own package.
public final class ReusedSession {

  private ReusedSession() {}

  /// @param engine after its handshake
  /// @return false where the engine is not BoringSSL's: the JDK's does not say
  public static boolean is(SSLEngine engine) {
    return engine instanceof ReferenceCountedOpenSslEngine boring && boring.isSessionReused();
  }
}
