package dev.roost.server.tls;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/// Reads private keys in PEM form (RFC 7468). Works on files; blocking.
final class PrivateKeys {

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private PrivateKeys() {}

  /// @param algorithm of the certificate's public key, for example `EC`
  /// @return empty if the file holds no private key
  /// @throws IOException if the file cannot be read, or is not PEM
  /// @throws GeneralSecurityException if the key is not one of `algorithm`
  static Optional<PrivateKey> read(Path file, String algorithm)
      throws IOException, GeneralSecurityException {
    var pem = Files.readString(file);
    var pkcs8 = PKCS8.matcher(pem);
    if (!pkcs8.find()) {
      return readOlder(pem);
    }
    try {
      var der = Base64.getMimeDecoder().decode(pkcs8.group(1));
      var key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      return Optional.of(key);
    } catch (IllegalArgumentException failure) {
      throw new IOException("not a key in PEM form", failure);
    }
  }

  /// The forms of OpenSSL before PKCS #8: RSA (RFC 8017, A.1.2) and EC (RFC 5915). Bouncy Castle is
  /// asked only for these: loading its signed jar costs every start some tenths of a second.
  private static Optional<PrivateKey> readOlder(String pem) throws IOException {
    try (var parser = new PEMParser(new StringReader(pem))) {
      for (var object = parser.readObject(); object != null; object = parser.readObject()) {
        if (object instanceof PEMKeyPair pair) {
          return Optional.of(new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo()));
        }
      }
      return Optional.empty();
    }
  }
}
