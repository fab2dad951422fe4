package dev.roost.server.lean;

import java.io.ObjectOutputStream;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// Bytes that nobody else may know: a traffic secret, or a key that was made of one. They are
/// zeroed by [#destroy], which the JDK's own keys do not offer, and are never printed or written.
final class Secret implements SecretKey {

  private static final long serialVersionUID = 1L;

  private final String algorithm;
  private final transient byte[] bytes;
  private transient boolean destroyed;

  /// @param bytes are this object's from now on
  Secret(String algorithm, byte[] bytes) {
    this.algorithm = algorithm;
    this.bytes = bytes;
  }

  /// HKDF-Expand-Label with an empty context (RFC 8446, 7.1).
  ///
  /// @param length in bytes
  byte[] expand(String kdf, String label, int length) {
    try {
      return KDF.getInstance(kdf)
          .deriveData(HKDFParameterSpec.expandOnly(this, info(label, length), length));
    } catch (GeneralSecurityException failure) {
      throw new IllegalStateException(kdf, failure);
    }
  }

  void copyInto(byte[] target) {
    System.arraycopy(bytes, 0, target, 0, bytes.length);
  }

  @Override
  public String getAlgorithm() {
    return algorithm;
  }

  @Override
  public String getFormat() {
    return "RAW";
  }

  /// A copy, which the ciphers of the JDK zero.
  @Override
  public byte[] getEncoded() {
    if (destroyed) {
      throw new IllegalStateException("this secret is gone");
    }
    return bytes.clone();
  }

  @Override
  public void destroy() {
    Arrays.fill(bytes, (byte) 0);
    destroyed = true;
  }

  @Override
  public boolean isDestroyed() {
    return destroyed;
  }

  @Override
  public String toString() {
    return "a secret of " + bytes.length + " bytes";
  }

  private static byte[] info(String label, int length) {
    var name = ("tls13 " + label).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    var info = new byte[2 + 1 + name.length + 1];
    info[0] = (byte) (length >> 8);
    info[1] = (byte) length;
    info[2] = (byte) name.length;
    System.arraycopy(name, 0, info, 3, name.length);
    return info;
  }

  private void writeObject(ObjectOutputStream out) throws java.io.NotSerializableException {
    throw new java.io.NotSerializableException("a secret");
  }
}
