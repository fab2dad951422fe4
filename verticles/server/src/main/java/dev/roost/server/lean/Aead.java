package dev.roost.server.lean;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.EnumMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/// Ciphers and room for one record each way, which all connections of a thread share: a cipher per
/// connection gains nothing, and direct buffers cost the JDK 2.5 times as much as arrays do
/// (measured 2026-11-30). Confined to its thread.
public final class Aead {

  /// Of the tag of every suite.
  static final int TAG_BYTES = 16;

  /// Of the nonce of every suite.
  static final int NONCE_BYTES = 12;

  private static final ThreadLocal<Aead> OF_THREAD = ThreadLocal.withInitial(Aead::new);

  private final Map<Suite, Cipher> sealing = new EnumMap<>(Suite.class);
  private final Map<Suite, Cipher> opening = new EnumMap<>(Suite.class);
  private final byte[] record = new byte[Records.RECORD_BYTES_MAX];
  private final byte[] plain = new byte[Records.RECORD_BYTES_MAX];
  private final byte[] nonce = new byte[NONCE_BYTES];

  /// For one who must not disturb the thread's own: a cipher refuses to seal twice in a row with
  /// the same nonce.
  public Aead() {}

  /// Seals and opens a record with every suite.
  ///
  /// @throws IllegalStateException if the JDK lacks what that takes
  public static void probe() {
    for (var suite : Suite.values()) {
      var aead = new Aead();
      var secret = new byte[suite.secretBytes()];
      try {
        var bytes = new Direction(suite, secret.clone(), 0).seal(aead, 1);
        var _ = new Direction(suite, secret, 0).open(aead, bytes);
      } catch (TlsRefusal unequal) {
        throw new IllegalStateException(suite.name(), unequal);
      }
    }
  }

  /// The one of the calling thread.
  public static Aead ofThread() {
    return OF_THREAD.get();
  }

  /// Room for one sealed record, its header included.
  public byte[] record() {
    return record;
  }

  /// Room for what a record holds.
  public byte[] plain() {
    return plain;
  }

  /// Seals what lies in [#plain] into [#record], behind the header that lies there.
  void seal(Keys keys, long sequence, int plainBytes) throws GeneralSecurityException {
    var cipher = cipher(sealing, keys.suite());
    cipher.init(Cipher.ENCRYPT_MODE, keys.key(), parameters(keys, sequence));
    cipher.updateAAD(record, 0, Records.HEADER_BYTES);
    var _ = cipher.doFinal(plain, 0, plainBytes, record, Records.HEADER_BYTES);
  }

  /// Opens the record in [#record] into [#plain].
  ///
  /// @return how much it held
  int open(Keys keys, long sequence, int recordBytes) throws GeneralSecurityException {
    var cipher = cipher(opening, keys.suite());
    cipher.init(Cipher.DECRYPT_MODE, keys.key(), parameters(keys, sequence));
    cipher.updateAAD(record, 0, Records.HEADER_BYTES);
    return cipher.doFinal(
        record, Records.HEADER_BYTES, recordBytes - Records.HEADER_BYTES, plain, 0);
  }

  private static Cipher cipher(Map<Suite, Cipher> ciphers, Suite suite)
      throws GeneralSecurityException {
    var made = ciphers.get(suite);
    if (made == null) {
      made = Cipher.getInstance(suite.cipher());
      ciphers.put(suite, made);
    }
    return made;
  }

  private AlgorithmParameterSpec parameters(Keys keys, long sequence) {
    keys.putNonce(nonce, sequence);
    return keys.suite().equals(Suite.TLS_CHACHA20_POLY1305_SHA256)
        ? new IvParameterSpec(nonce)
        : new GCMParameterSpec(8 * TAG_BYTES, nonce);
  }
}
