package dev.roost.server.tls;

import dev.roost.server.park.WokenTls;
import dev.roost.server.settings.TlsSettings;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.Set;

/// How the server speaks TLS: 1.2 and 1.3, forward secrecy only, no CBC.
public final class Tls {

  /// The AEAD suites of RFC 8446 and the forward-secret ones of RFC 7525 for 1.2.
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private Tls() {}

  /// What Vert.x needs to know of it.
  public static ServerSSLOptions options(TlsSettings settings) {
    var options =
        new ServerSSLOptions()
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertPath(settings.certificate().toString())
                    .setKeyPath(settings.key().toString()))
            .setUseAlpn(true)
            .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"));
    SUITES.forEach(options::addEnabledCipherSuite);
    return options;
  }

  /// BoringSSL where its native library is there, else the JDK's engine.
  ///
  /// @param tickets that its contexts seal and open
  public static SSLEngineOptions engine(TlsSettings settings, Tickets tickets) {
    return OpenSSLEngineOptions.isAvailable()
        ? new WokenTls(context -> tickets.serve(context, settings.tickets()))
        : new JdkSSLEngineOptions();
  }

  /// The engine's name, for the start line.
  public static String engineName() {
    return OpenSSLEngineOptions.isAvailable() ? "BoringSSL" : "JDK TLS";
  }
}
