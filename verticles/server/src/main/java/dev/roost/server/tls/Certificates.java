package dev.roost.server.tls;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import dev.roost.server.settings.TlsSettings;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Set;

/// Looks at the certificate and key before the server does, so that what is wrong with them has a
/// name. Works on files; blocking.
public final class Certificates {

  /// What BoringSSL takes through Netty.
  private static final Set<String> ALGORITHMS = Set.of("EC", "RSA");

  private Certificates() {}

  /// @throws StartRefusal if either file is missing, unreadable, not PEM, or the certificate has
  ///   run out
  public static void check(TlsSettings tls) {
    var certificate = readOrRefuse(tls.certificate());
    if (certificate.getNotAfter().toInstant().isBefore(Instant.now())) {
      throw refusal("tls.cert", tls.certificate(), "has run out on " + certificate.getNotAfter());
    }
    requirePair(tls, certificate);
  }

  static X509Certificate read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      var factory = CertificateFactory.getInstance("X.509");
      if (factory.generateCertificate(in) instanceof X509Certificate certificate) {
        return certificate;
      }
      throw new IOException("not an X.509 certificate");
    } catch (CertificateException failure) {
      throw new IOException("not a certificate in PEM form", failure);
    }
  }

  private static X509Certificate readOrRefuse(Path file) {
    try {
      return read(file);
    } catch (IOException failure) {
      throw refusal("tls.cert", file, "cannot be read: " + reason(failure));
    }
  }

  /// Signs something with the key and checks it with the certificate.
  private static void requirePair(TlsSettings tls, X509Certificate certificate) {
    var algorithm = certificate.getPublicKey().getAlgorithm();
    if (!ALGORITHMS.contains(algorithm)) {
      throw refusal(
          "tls.cert",
          tls.certificate(),
          "has a key of kind %s; EC or RSA is served".formatted(algorithm));
    }
    try {
      var key = readKey(tls.key(), algorithm);
      var signature = Signature.getInstance(signatureOf(key));
      signature.initSign(key);
      var signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      if (!signature.verify(signed)) {
        throw refusal("tls.key", tls.key(), "does not belong to " + tls.certificate());
      }
    } catch (GeneralSecurityException | ProviderException _) {
      throw refusal("tls.key", tls.key(), "does not belong to " + tls.certificate());
    }
  }

  private static PrivateKey readKey(Path file, String algorithm) throws GeneralSecurityException {
    try {
      return PrivateKeys.read(file, algorithm)
          .orElseThrow(() -> refusal("tls.key", file, "has no private key in PEM form"));
    } catch (IOException failure) {
      throw refusal("tls.key", file, "cannot be read: " + reason(failure));
    }
  }

  private static String signatureOf(PrivateKey key) {
    return key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
  }

  private static StartRefusal refusal(String key, Path file, String what) {
    return new StartRefusal(Stage.CERTIFICATE, "%s: %s %s".formatted(key, file, what));
  }

  private static String reason(Exception failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "permission denied";
      case CharacterCodingException _ -> "not text";
      default -> String.valueOf(failure.getMessage()).lines().findFirst().orElse("unknown");
    };
  }
}
