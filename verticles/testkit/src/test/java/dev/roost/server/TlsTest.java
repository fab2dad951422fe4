package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.http.RouteSet;
import dev.roost.server.tls.Tls;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the server agrees to with another TLS implementation, the JDK's.
class TlsTest {

  private static final RouteSet HELLO =
      routes -> routes.get("/", request -> request.end("hello\n"));

  private static TestServer server;

  @BeforeAll
  static void serve() {
    server = TestServer.serving(HELLO);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_engine_is_boringssl_where_its_library_is() {
    assertThat(Tls.engineName()).isEqualTo("BoringSSL");
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, TLS_AES_128_GCM_SHA256",
    "TLSv1.3, TLS_AES_256_GCM_SHA384",
    "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
  })
  void it_speaks_authenticated_suites_with_forward_secrecy(String version, String suite)
      throws IOException {
    try (var socket = connect()) {
      socket.setEnabledProtocols(new String[] {version});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"
      })
  void it_refuses_cbc(String suite) throws IOException {
    try (var socket = connect()) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {suite});
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"h2, h2", "http/1.1, http/1.1"})
  void alpn_chooses_what_the_client_has(String offered, String chosen) throws IOException {
    try (var socket = connect()) {
      var parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {offered});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      assertThat(socket.getApplicationProtocol()).isEqualTo(chosen);
    }
  }

  private static SSLSocket connect() throws IOException {
    return (SSLSocket)
        TrustAll.context().getSocketFactory().createSocket("127.0.0.1", server.port());
  }
}
