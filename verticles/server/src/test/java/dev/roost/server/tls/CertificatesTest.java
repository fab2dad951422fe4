package dev.roost.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {

  @TempDir private Path folder;

  @Test
  void the_self_signed_one_is_for_localhost_on_a_256_bit_curve() throws Exception {
    var certificate = Certificates.read(SelfSignedCertificate.in(folder).certificate());
    assertThat(((ECPublicKey) certificate.getPublicKey()).getParams().getOrder().bitLength())
        .isEqualTo(256);
    assertThat(certificate.getSubjectAlternativeNames().toString())
        .contains("localhost", "127.0.0.1");
  }

  @Test
  void the_self_signed_one_is_made_once() throws IOException {
    var first = Files.readString(SelfSignedCertificate.in(folder).certificate());
    assertThat(Files.readString(SelfSignedCertificate.in(folder).certificate())).isEqualTo(first);
  }

  @Test
  void only_its_owner_can_read_the_key() throws IOException {
    var key = SelfSignedCertificate.in(folder).key();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_good_pair_is_accepted() {
    Certificates.check(SelfSignedCertificate.in(folder));
  }

  @Test
  void a_missing_certificate_is_named() {
    var missing = folder.resolve("nowhere.crt");
    assertRefused(new TlsSettings(missing, missing), "tls.cert: %s cannot be read: no such file");
  }

  @Test
  void what_is_not_a_certificate_is_named() throws IOException {
    var rubbish = Files.writeString(folder.resolve("rubbish.crt"), "rubbish");
    assertRefused(
        new TlsSettings(rubbish, rubbish),
        "tls.cert: %s cannot be read: not a certificate in PEM form");
  }

  @Test
  void a_key_of_another_certificate_is_named() {
    var one = SelfSignedCertificate.in(folder.resolve("one"));
    var other = SelfSignedCertificate.in(folder.resolve("other"));
    assertThatThrownBy(() -> Certificates.check(new TlsSettings(one.certificate(), other.key())))
        .isInstanceOf(StartRefusal.class)
        .hasMessage("tls.key: %s does not belong to %s", other.key(), one.certificate());
  }

  @Test
  void a_key_of_another_kind_is_named() throws Exception {
    var certificate = SelfSignedCertificate.in(folder).certificate();
    var rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
    var key = Files.writeString(folder.resolve("rsa.key"), pem("PRIVATE KEY", rsa.getEncoded()));
    assertThatThrownBy(() -> Certificates.check(new TlsSettings(certificate, key)))
        .hasMessage("tls.key: %s does not belong to %s", key, certificate);
  }

  @Test
  void a_kind_of_key_that_the_engine_does_not_take_is_named() throws Exception {
    var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    var signed = SelfSignedCertificate.sign(pair, "Ed25519").getEncoded();
    var certificate = Files.writeString(folder.resolve("ed.crt"), pem("CERTIFICATE", signed));
    assertThatThrownBy(() -> Certificates.check(new TlsSettings(certificate, certificate)))
        .hasMessage("tls.cert: %s has a key of kind EdDSA; EC or RSA is served", certificate);
  }

  @Test
  void a_file_without_a_key_is_named() {
    var certificate = SelfSignedCertificate.in(folder).certificate();
    assertThatThrownBy(() -> Certificates.check(new TlsSettings(certificate, certificate)))
        .hasMessage("tls.key: %s has no private key in PEM form", certificate);
  }

  @Test
  void a_key_in_the_older_form_of_openssl_is_accepted() throws Exception {
    var pair = SelfSignedCertificate.in(folder);
    var info =
        PrivateKeyInfo.getInstance(PrivateKeys.read(pair.key(), "EC").orElseThrow().getEncoded());
    var key = new JcaPEMKeyConverter().setProvider(new BouncyCastleProvider()).getPrivateKey(info);
    var older = folder.resolve("older.key");
    try (var writer = new JcaPEMWriter(Files.newBufferedWriter(older))) {
      writer.writeObject(key); // Bouncy Castle writes EC keys as RFC 5915 has them
    }
    assertThat(Files.readString(older)).startsWith("-----BEGIN EC PRIVATE KEY-----");
    Certificates.check(new TlsSettings(pair.certificate(), older));
  }

  private static String pem(String type, byte[] der) {
    var base64 = Base64.getMimeEncoder().encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, base64, type);
  }

  private static void assertRefused(TlsSettings tls, String message) {
    assertThatThrownBy(() -> Certificates.check(tls))
        .isInstanceOf(StartRefusal.class)
        .hasMessage(message.formatted(tls.certificate()));
  }
}
