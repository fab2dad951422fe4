package dev.roost.server.tls;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.TlsSettings;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// The certificate of a first start: ECDSA on P-256, for localhost and the loopback addresses.
/// Works on files; blocking.
public final class SelfSignedCertificate {

  /// Browsers refuse more than 398 days (CA/Browser Forum, ballot SC31).
  private static final Duration VALIDITY = Duration.ofDays(397);

  private SelfSignedCertificate() {}

  /// The certificate in `folder`; made there if it is missing or has run out.
  ///
  /// @throws StartRefusal if the folder cannot be written
  public static TlsSettings in(Path folder) {
    var certificate = folder.resolve("localhost.crt");
    var key = folder.resolve("localhost.key");
    try {
      if (!Files.exists(key) || !isCurrent(certificate)) {
        Files.createDirectories(folder);
        var pair = newKeyPair();
        write(key, pem("PRIVATE KEY", pair.getPrivate().getEncoded()), "rw-------");
        write(
            certificate,
            pem("CERTIFICATE", sign(pair, "SHA256withECDSA").getEncoded()),
            "rw-r--r--");
      }
      return new TlsSettings(certificate, key);
    } catch (IOException failure) {
      throw new StartRefusal(
          StartRefusal.Stage.CERTIFICATE,
          ("data.dir: the certificate in %s cannot be read or made: %s; without localhost.crt and"
                  + " localhost.key there new ones are made")
              .formatted(folder, failure.getMessage()));
    } catch (GeneralSecurityException | OperatorCreationException failure) {
      throw new IllegalStateException("this JDK cannot sign with P-256", failure);
    }
  }

  private static boolean isCurrent(Path certificate) throws IOException {
    return Files.exists(certificate)
        && Certificates.read(certificate).getNotAfter().toInstant().isAfter(Instant.now());
  }

  private static KeyPair newKeyPair() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  static X509Certificate sign(KeyPair pair, String algorithm)
      throws CertIOException, OperatorCreationException, GeneralSecurityException {
    var name = new X500Principal("CN=localhost");
    var now = Instant.now();
    var builder =
        new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(128, new SecureRandom()),
            Date.from(now.minus(Duration.ofHours(1))),
            Date.from(now.plus(VALIDITY)),
            name,
            pair.getPublic());
    var names =
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.dNSName, "localhost"),
              new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
              new GeneralName(GeneralName.iPAddress, "::1")
            });
    builder
        .addExtension(Extension.subjectAlternativeName, false, names)
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
        .addExtension(
            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
    var signer = new JcaContentSignerBuilder(algorithm).build(pair.getPrivate());
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }

  private static String pem(String type, byte[] der) {
    var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, base64, type);
  }

  /// Written beside and moved into place, so that a crash leaves no half file; never readable by
  /// others for a moment.
  private static void write(Path file, String text, String permissions) throws IOException {
    var attribute =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    var beside = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(beside);
    Files.createFile(beside, attribute);
    Files.writeString(beside, text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
