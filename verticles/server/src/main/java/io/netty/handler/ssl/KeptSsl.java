package io.netty.handler.ssl;

import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// BoringSSL's own state of one connection, taken out of its engine, which costs a fifth of it
/// again on the heap; and put into another one. A fresh engine that is given the state of a
/// connection whose handshake is done finds that out by itself with the first record.
///
/// @param ssl the SSL*; 0 for none
/// @param bio its end of the pair of buffers that stands for the network
public record KeptSsl(long ssl, long bio) implements KeptTls {

  private static final VarHandle SSL_POINTER = field("ssl", long.class);
  private static final VarHandle BIO_POINTER = field("networkBIO", long.class);
  private static final VarHandle DESTROYED = field("destroyed", boolean.class);
  private static final VarHandle ENGINES = field("engines", OpenSslEngineMap.class);

  /// Of a connection without TLS.
  public static final KeptSsl NONE = new KeptSsl(0, 0);

  /// Whether it can be taken from `engine`.
  public static boolean isIn(SSLEngine engine) {
    return engine instanceof ReferenceCountedOpenSslEngine;
  }

  /// Takes it from `engine`, which is of no use afterwards, and frees nothing when it is released.
  public static KeptSsl from(SSLEngine engine) {
    var boring = (ReferenceCountedOpenSslEngine) engine;
    synchronized (boring) {
      var kept = new KeptSsl((long) SSL_POINTER.get(boring), (long) BIO_POINTER.get(boring));
      engines(boring).remove(kept.ssl);
      DESTROYED.setVolatile(boring, true);
      return kept;
    }
  }

  /// Gives it to `fresh`, whose own is freed.
  public void giveTo(SSLEngine fresh) {
    var boring = (ReferenceCountedOpenSslEngine) fresh;
    synchronized (boring) {
      var unused = (long) SSL_POINTER.get(boring);
      engines(boring).remove(unused);
      SSL.freeSSL(unused);
      SSL_POINTER.set(boring, ssl);
      BIO_POINTER.set(boring, bio);
      engines(boring).add(ssl, boring);
    }
  }

  /// For example `TLSv1.3`.
  public String version() {
    return SSL.getVersion(ssl);
  }

  /// For example `TLS_AES_128_GCM_SHA256`.
  public String suite() {
    return SSL.getCipherForSSL(ssl);
  }

  /// What was agreed upon by ALPN, for example `h2`; null if nothing was.
  public @Nullable String alpn() {
    return SSL.getAlpnSelected(ssl);
  }

  /// Whether the client has shown a certificate.
  public boolean hasClientCertificate() {
    return SSL.getPeerCertificate(ssl) != null;
  }

  /// Whether its handshake is over, neither side has said goodbye, and nothing of it waits to be
  /// sent.
  public boolean isQuiet() {
    return SSL.isInInit(ssl) == 0
        && SSL.getShutdown(ssl) == 0
        && SSL.bioLengthNonApplication(bio) == 0;
  }

  /// What BoringSSL has to say and keeps until there is data to go with it: session tickets after
  /// the handshake, the answer to a KeyUpdate.
  ///
  /// @param into direct; the records are from its start to its position
  public void sayRest(ByteBuffer into) {
    say(into, () -> SSL.writeToSSL(ssl, Buffer.address(into), 0));
  }

  @Override
  public void sayGoodbye(ByteBuffer last, ByteBuffer into) {
    say(
        into,
        () -> {
          if (last.hasRemaining()) {
            SSL.writeToSSL(ssl, Buffer.address(last), last.remaining());
          }
          return SSL.shutdownSSL(ssl);
        });
  }

  @Override
  public void free() {
    SSL.freeSSL(ssl);
  }

  private void say(ByteBuffer into, IntSupplier words) {
    SSL.bioSetByteBuffer(bio, Buffer.address(into), into.capacity(), true);
    try {
      var _ = words.getAsInt();
      into.position(into.capacity() - SSL.bioLengthByteBuffer(bio));
    } finally {
      SSL.bioClearByteBuffer(bio);
      SSL.clearError();
    }
  }

  private static OpenSslEngineMap engines(ReferenceCountedOpenSslEngine engine) {
    return (OpenSslEngineMap) ENGINES.get(engine);
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      var engine = ReferenceCountedOpenSslEngine.class;
      return MethodHandles.privateLookupIn(engine, MethodHandles.lookup())
          .findVarHandle(engine, name, type);
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError("ReferenceCountedOpenSslEngine." + name, missing);
    }
  }
}
