package dev.roost.server.park.lean;

import dev.roost.server.lean.Suite;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.EnumMap;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/// What Vert.x asks of the engine of a TLS handler: the facts of a session. It does nothing.
/// Immutable.
final class LeanEngine extends SSLEngine {

  private static final Map<Suite, LeanEngine> ENGINES = new EnumMap<>(Suite.class);

  static {
    for (var suite : Suite.values()) {
      ENGINES.put(suite, new LeanEngine(new Session(suite)));
    }
  }

  private final Session session;

  private LeanEngine(Session session) {
    this.session = session;
  }

  static LeanEngine of(Suite suite) {
    return java.util.Objects.requireNonNull(ENGINES.get(suite));
  }

  @Override
  public SSLSession getSession() {
    return session;
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    return HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
    throw unsupported();
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) {
    throw unsupported();
  }

  @Override
  public void beginHandshake() {
    throw unsupported();
  }

  @Override
  public @Nullable Runnable getDelegatedTask() {
    return null;
  }

  @Override
  public void closeInbound() {}

  @Override
  public boolean isInboundDone() {
    return false;
  }

  @Override
  public void closeOutbound() {}

  @Override
  public boolean isOutboundDone() {
    return false;
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return new String[] {session.getCipherSuite()};
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return getSupportedCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {}

  @Override
  public String[] getSupportedProtocols() {
    return new String[] {session.getProtocol()};
  }

  @Override
  public String[] getEnabledProtocols() {
    return getSupportedProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {}

  @Override
  public void setUseClientMode(boolean mode) {}

  @Override
  public boolean getUseClientMode() {
    return false;
  }

  @Override
  public void setNeedClientAuth(boolean need) {}

  @Override
  public boolean getNeedClientAuth() {
    return false;
  }

  @Override
  public void setWantClientAuth(boolean want) {}

  @Override
  public boolean getWantClientAuth() {
    return false;
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {}

  @Override
  public boolean getEnableSessionCreation() {
    return false;
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("this connection is handled by LeanTls");
  }

  /// What is known of every lean connection of one suite: a client with a certificate has none.
  private record Session(Suite suite) implements SSLSession {

    private static final int PACKET_BYTES_MAX = 5 + (1 << 14) + 256;

    @Override
    public String getProtocol() {
      return "TLSv1.3";
    }

    @Override
    public String getCipherSuite() {
      return suite.name();
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
      throw new SSLPeerUnverifiedException("the client has shown no certificate");
    }

    @Override
    public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
      throw new SSLPeerUnverifiedException("the client has shown no certificate");
    }

    @Override
    public Certificate @Nullable [] getLocalCertificates() {
      return null;
    }

    @Override
    public @Nullable Principal getLocalPrincipal() {
      return null;
    }

    @Override
    public byte[] getId() {
      return new byte[0];
    }

    @Override
    public @Nullable SSLSessionContext getSessionContext() {
      return null;
    }

    @Override
    public long getCreationTime() {
      return 0;
    }

    @Override
    public long getLastAccessedTime() {
      return 0;
    }

    @Override
    public void invalidate() {}

    @Override
    public void putValue(String name, Object value) {}

    @Override
    public @Nullable Object getValue(String name) {
      return null;
    }

    @Override
    public void removeValue(String name) {}

    @Override
    public String[] getValueNames() {
      return new String[0];
    }

    @Override
    public @Nullable String getPeerHost() {
      return null;
    }

    @Override
    public int getPeerPort() {
      return -1;
    }

    @Override
    public int getPacketBufferSize() {
      return PACKET_BYTES_MAX;
    }

    @Override
    public int getApplicationBufferSize() {
      return 1 << 14;
    }
  }
}
