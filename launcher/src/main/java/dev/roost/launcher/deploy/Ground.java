package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Settings;
import dev.roost.server.settings.ServerSettings;
import java.io.IOException;
import java.nio.file.Path;

/// What a server stands on, whether it is one process or several: the data directory, held under
/// lock, with a certificate in it, and ports where nobody answers. Confined to one thread.
public final class Ground implements AutoCloseable {
  private final DataDirectory data;

  private Ground(DataDirectory data) {
    this.data = data;
  }

  /// @throws dev.roost.server.settings.StartRefusal if a port answers or the folder cannot be used
  public static Ground take(Settings settings) {
    PortProbe.refuseSame(settings);
    PortProbe.refuseTaken(settings, Catalogue.SERVER_HOST, Catalogue.SERVER_PORT);
    PortProbe.refuseTaken(settings, Catalogue.MANAGEMENT_HOST, Catalogue.MANAGEMENT_PORT);
    return new Ground(
        DataDirectory.open(
            settings.value(Catalogue.DATA_DIR), settings.setting(Catalogue.DATA_DIR)));
  }

  /// The data directory.
  public Path folder() {
    return data.folder();
  }

  /// Checks all that the server's records check, and makes a certificate if there is none.
  ///
  /// @return the settings of the server
  /// @throws dev.roost.server.settings.StartRefusal for a value that is not allowed
  public ServerSettings prepare(Settings settings) {
    var server = ServerValues.of(settings, CertificateFiles.of(settings, data.folder()));
    var _ = ServerValues.tracing(settings);
    return server;
  }

  @Override
  public void close() throws IOException {
    data.close();
  }
}
