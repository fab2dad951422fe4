package dev.roost.launcher.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.launcher.config.Settings;
import dev.roost.server.settings.ListenSettings;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.TlsSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerValuesTest {
  private static final TlsSettings TLS = new TlsSettings(Path.of("a.crt"), Path.of("a.key"));

  /// The server's own defaults, used where it is embedded, and those of the catalogue are the same.
  @Test
  void the_built_in_values_are_those_of_the_server() {
    var ours = ServerValues.of(Settings.of(List.of()), TLS);
    var servers = ServerSettings.loopback(TLS);
    var elsewhere = ReactorSettings.of(1, ours.reactor().continuationsMax());
    assertThat(ours.with(ListenSettings.loopback()).with(elsewhere)).isEqualTo(servers);
  }

  @Test
  void it_listens_on_every_address_and_is_measured_on_loopback_only() {
    var listen = ServerValues.of(Settings.of(List.of()), TLS).listen();
    assertThat(listen.host()).isIn("::", "0.0.0.0");
    assertThat(listen.port()).isEqualTo(9_443);
    assertThat(listen.managementHost()).isEqualTo("127.0.0.1");
    assertThat(listen.managementPort()).isEqualTo(9_444);
  }
}
