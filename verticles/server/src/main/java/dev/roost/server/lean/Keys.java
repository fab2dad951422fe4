package dev.roost.server.lean;

import java.util.Arrays;

/// What seals or opens records under one traffic secret (RFC 8446, 7.3).
final class Keys {

  private final Suite suite;
  private final Secret key;
  private final byte[] iv;

  private Keys(Suite suite, Secret key, byte[] iv) {
    this.suite = suite;
    this.key = key;
    this.iv = iv;
  }

  static Keys of(Suite suite, Secret traffic) {
    var key = traffic.expand(suite.kdf(), "key", suite.keyBytes());
    return new Keys(
        suite,
        new Secret(suite.keyAlgorithm(), key),
        traffic.expand(suite.kdf(), "iv", Aead.NONCE_BYTES));
  }

  Suite suite() {
    return suite;
  }

  Secret key() {
    return key;
  }

  /// Writes the nonce of the record of that number into `nonce` (RFC 8446, 5.3).
  void putNonce(byte[] nonce, long sequence) {
    System.arraycopy(iv, 0, nonce, 0, iv.length);
    for (var each = 0; each < Long.BYTES; each++) {
      nonce[iv.length - 1 - each] ^= (byte) (sequence >>> (8 * each));
    }
  }

  void wipe() {
    key.destroy();
    Arrays.fill(iv, (byte) 0);
  }
}
