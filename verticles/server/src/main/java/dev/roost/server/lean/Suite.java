package dev.roost.server.lean;

import java.util.Arrays;
import java.util.Optional;

/// The cipher suites of TLS 1.3 that the server speaks (RFC 8446, B.4), as the JDK names their
/// parts.
public enum Suite {
  TLS_AES_128_GCM_SHA256(1, Method.AES_GCM, 16, Hash.SHA256),
  TLS_AES_256_GCM_SHA384(2, Method.AES_GCM, 32, Hash.SHA384),
  TLS_CHACHA20_POLY1305_SHA256(3, Method.CHACHA20_POLY1305, 32, Hash.SHA256);

  /// Of the longest secret.
  public static final int SECRET_BYTES_MAX = 48;

  private final int code;
  private final Method method;
  private final int keyBytes;
  private final Hash hash;

  private enum Method {
    AES_GCM("AES/GCM/NoPadding", "AES"),
    CHACHA20_POLY1305("ChaCha20-Poly1305", "ChaCha20");

    private final String cipher;
    private final String key;

    Method(String cipher, String key) {
      this.cipher = cipher;
      this.key = key;
    }
  }

  private enum Hash {
    SHA256("HKDF-SHA256", 32),
    SHA384("HKDF-SHA384", 48);

    private final String kdf;
    private final int bytes;

    Hash(String kdf, int bytes) {
      this.kdf = kdf;
      this.bytes = bytes;
    }
  }

  Suite(int code, Method method, int keyBytes, Hash hash) {
    this.code = code;
    this.method = method;
    this.keyBytes = keyBytes;
    this.hash = hash;
  }

  /// The suite of that name (IANA's registry); empty if it is none of TLS 1.3, or not ours.
  public static Optional<Suite> named(String name) {
    return Arrays.stream(values()).filter(suite -> suite.name().equals(name)).findFirst();
  }

  /// The suite of that [#code].
  ///
  /// @throws IllegalArgumentException if there is none
  public static Suite coded(int code) {
    return Arrays.stream(values())
        .filter(suite -> suite.code == code)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("suite " + code));
  }

  /// The second byte of its number (RFC 8446, B.4), less than 128.
  public int code() {
    return code;
  }

  /// Length of a traffic secret, in bytes: that of the hash.
  public int secretBytes() {
    return hash.bytes;
  }

  String cipher() {
    return method.cipher;
  }

  String keyAlgorithm() {
    return method.key;
  }

  int keyBytes() {
    return keyBytes;
  }

  String kdf() {
    return hash.kdf;
  }
}
