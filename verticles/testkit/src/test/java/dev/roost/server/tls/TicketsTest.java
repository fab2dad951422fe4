package dev.roost.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.TlsSettings;
import dev.roost.testkit.ResumingClient;
import dev.roost.testkit.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may resume a TLS session, and where, with the JDK's client and OpenSSL's.
class TicketsTest {

  private static final RouteSet HELLO =
      routes -> routes.get("/", request -> request.end("hello\n"));

  private static final TlsSettings.Tickets KEEP_TWO =
      new TlsSettings.Tickets(Duration.ofHours(1), 2, Optional.empty());

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_client_resumes_until_the_key_of_its_ticket_is_dropped(String version) {
    try (var server = TestServer.serving(HELLO)) {
      var client = new ResumingClient(version);
      assertThat(resumes(client, server, version)).isFalse();
      assertThat(resumes(client, server, version)).isTrue();
      rotate(server);
      assertThat(resumes(client, server, version)).isTrue();
      use(server, TicketKeys.fresh(Instant.now()));
      assertThat(resumes(client, server, version)).isFalse();
    }
  }

  @Test
  void who_resumes_with_an_old_key_is_given_a_ticket_of_the_newest() {
    try (var server = TestServer.serving(HELLO)) {
      var java = new ResumingClient("TLSv1.2"); // OpenSSL keeps its first ticket of TLS 1.2
      var openssl = new OpenSslClient("-tls1_3", folder); // Java uses up its oldest of TLS 1.3
      assertThat(resumes(java, server, "TLSv1.2")).isFalse();
      assertThat(openssl.resumes(server.port())).isFalse();
      for (var rotation = 0; rotation < 3; rotation++) {
        rotate(server);
        assertThat(resumes(java, server, "TLSv1.2")).isTrue();
        assertThat(openssl.resumes(server.port())).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void a_key_opens_no_more_when_as_many_as_are_kept_have_come_after_it(String version) {
    try (var server = TestServer.serving(HELLO)) {
      var client = new OpenSslClient(version, folder);
      assertThat(client.resumes(server.port())).isFalse();
      rotate(server);
      rotate(server);
      assertThat(client.resumes(server.port())).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void a_ticket_of_one_server_is_good_for_another_that_has_its_keys(String version) {
    try (var one = TestServer.serving(HELLO);
        var other = TestServer.serving(HELLO)) {
      var client = new OpenSslClient(version, folder);
      assertThat(client.resumes(one.port())).isFalse();
      use(other, one.platform().tickets().keys());
      assertThat(client.resumes(other.port())).isTrue();
      use(other, TicketKeys.fresh(Instant.now()));
      assertThat(client.resumes(other.port())).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void a_ticket_outlives_the_process_by_the_key_file(String version) {
    var client = new OpenSslClient(version, folder);
    try (var first = withFile()) {
      assertThat(client.resumes(first.port())).isFalse();
    }
    try (var second = withFile()) {
      assertThat(client.resumes(second.port())).isTrue();
    }
  }

  @Test
  void without_a_file_a_rotation_is_counted_and_touches_no_disk() {
    try (var server = TestServer.serving(HELLO)) {
      assertThat(server.metric("roost_tls_ticket_keys_rotated_total")).isZero();
      assertThat(folder).isEmptyDirectory();
    }
  }

  private TestServer withFile() {
    var tickets =
        new TlsSettings.Tickets(Duration.ofHours(12), 3, Optional.of(folder.resolve("keys")));
    return TestServer.serving(HELLO, settings -> with(settings, tickets));
  }

  private static ServerSettings with(ServerSettings settings, TlsSettings.Tickets tickets) {
    return settings.with(settings.tls().with(tickets));
  }

  private static void rotate(TestServer server) {
    use(server, server.platform().tickets().keys().rotated(Instant.now(), KEEP_TWO));
  }

  private static void use(TestServer server, TicketKeys keys) {
    server.platform().tickets().use(TicketKeys.of(keys.encoded()));
  }

  private static boolean resumes(ResumingClient client, TestServer server, String version) {
    var series = "roost_tls_handshakes_total{resumed=\"true\",version=\"%s\"}".formatted(version);
    var before = server.metric(series);
    assertThat(client.ask(server.port())).startsWith("HTTP/1.1 200 OK\r\n").endsWith("hello\n");
    return server.metric(series) > before;
  }
}
