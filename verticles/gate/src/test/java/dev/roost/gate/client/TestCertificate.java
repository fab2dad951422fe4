package dev.roost.gate.client;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;

/// A self-signed P-256 certificate, made once per test run by the JDK's own keytool.
final class TestCertificate {
  private static final String PASSWORD = "only-for-this-run";
  private static final KeyManagerFactory KEYS = keys();

  private TestCertificate() {}

  static SslContext context(String protocol) {
    try {
      return SslContextBuilder.forServer(KEYS)
          .sslProvider(SslProvider.JDK)
          .protocols(protocol)
          .build();
    } catch (IOException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  private static KeyManagerFactory keys() {
    try {
      Path folder = Files.createTempDirectory("roost-gate-test");
      Path file = folder.resolve("keys.p12");
      make(file);
      var store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
      Files.delete(file);
      Files.delete(folder);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      return keys;
    } catch (IOException | GeneralSecurityException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  private static void make(Path file) throws IOException {
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("keytool failed: " + output);
    }
  }
}
