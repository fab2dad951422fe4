package dev.roost.server.lean;

import java.util.Arrays;
import java.util.Optional;

/// The cipher suites of TLS 1.3 that the server speaks (RFC 8446, B.4), as the JDK names their
/// parts.
public enum Suite {
  TLS_AES_128_GCM_SHA256("AES/GCM/NoPadding", "AES", 16, "HKDF-SHA256", 32),
  TLS_AES_256_GCM_SHA384("AES/GCM/NoPadding", "AES", 32, "HKDF-SHA384", 48),
  TLS_CHACHA20_POLY1305_SHA256("ChaCha20-Poly1305", "ChaCha20", 32, "HKDF-SHA256", 32);

  /// Of the longest secret.
  public static final int SECRET_BYTES_MAX = 48;

  private final String cipher;
  private final String keyAlgorithm;
  private final int keyBytes;
  private final String kdf;
  private final int secretBytes;

  Suite(String cipher, String keyAlgorithm, int keyBytes, String kdf, int secretBytes) {
    this.cipher = cipher;
    this.keyAlgorithm = keyAlgorithm;
    this.keyBytes = keyBytes;
    this.kdf = kdf;
    this.secretBytes = secretBytes;
  }

  /// The suite of that name (IANA's registry); empty if it is none of TLS 1.3, or not ours.
  public static Optional<Suite> named(String name) {
    return Arrays.stream(values()).filter(suite -> suite.name().equals(name)).findFirst();
  }

  /// Length of a traffic secret, in bytes: that of the hash.
  public int secretBytes() {
    return secretBytes;
  }

  String cipher() {
    return cipher;
  }

  String keyAlgorithm() {
    return keyAlgorithm;
  }

  int keyBytes() {
    return keyBytes;
  }

  String kdf() {
    return kdf;
  }
}
