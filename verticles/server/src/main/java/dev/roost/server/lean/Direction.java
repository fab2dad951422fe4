package dev.roost.server.lean;

import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/// One direction of a connection: its secret, and the number of the next record. The keys are made
/// when the first record needs them. Confined to the thread of the connection.
final class Direction {

  private final Suite suite;
  private Secret secret;
  private long sequence;
  private @Nullable Keys keys;

  /// @param secret its traffic secret, which is this object's from now on
  /// @param sequence number of its next record under that secret
  Direction(Suite suite, byte[] secret, long sequence) {
    if (secret.length != suite.secretBytes()) {
      throw new IllegalArgumentException(suite + " has secrets of another length");
    }
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence: " + sequence);
    }
    this.suite = suite;
    this.secret = new Secret("HKDF", secret);
    this.sequence = sequence;
  }

  long sequence() {
    return sequence;
  }

  /// Seals what lies in the `aead`'s room for plain text, its type at the end.
  ///
  /// @return the length of the record, in its room for one
  int seal(Aead aead, int plainBytes) {
    var sealedBytes = plainBytes + Aead.TAG_BYTES;
    Records.putHeader(aead.record(), sealedBytes);
    var with = keys();
    try {
      aead.seal(with, next(), plainBytes);
    } catch (GeneralSecurityException failure) {
      throw new IllegalStateException("sealing", failure);
    }
    return Records.HEADER_BYTES + sealedBytes;
  }

  /// Opens what lies in the `aead`'s room for a record.
  ///
  /// @return how much plain text there is then, its type and padding included
  /// @throws TlsRefusal if it is not the record that follows the last one
  int open(Aead aead, int recordBytes) throws TlsRefusal {
    if (recordBytes < Records.HEADER_BYTES + Aead.TAG_BYTES) {
      throw new TlsRefusal(Alert.BAD_RECORD_MAC, "a record shorter than its tag");
    }
    var with = keys();
    try {
      return aead.open(with, next(), recordBytes);
    } catch (GeneralSecurityException _) { // there is one reason that a peer can bring about
      throw new TlsRefusal(Alert.BAD_RECORD_MAC, "a record that cannot be opened");
    }
  }

  /// The next secret takes the place of this one (RFC 8446, 7.2), and records count from 0.
  void update() {
    var next = secret.expand(suite.kdf(), "traffic upd", suite.secretBytes());
    wipe();
    secret = new Secret("HKDF", next);
    sequence = 0;
  }

  /// The secret, for who keeps it.
  byte[] copyOfSecret() {
    return secret.getEncoded();
  }

  /// Nothing is opened or sealed any more.
  void wipe() {
    secret.destroy();
    if (keys != null) {
      keys.wipe();
      keys = null;
    }
  }

  private Keys keys() {
    if (keys == null) {
      keys = Keys.of(suite, secret);
    }
    return keys;
  }

  /// No number comes twice under one secret, whatever becomes of the record; far from wrapping.
  private long next() {
    if (sequence < 0) {
      throw new IllegalStateException("no record may follow under this secret");
    }
    return sequence++;
  }
}
