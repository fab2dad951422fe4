package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Settings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import dev.roost.server.settings.TlsSettings;
import dev.roost.server.tls.SelfSignedCertificate;
import java.nio.file.Path;
import java.util.Optional;

/// The operator's certificate, or one of our own in `data.dir`; ticket keys are always there.
final class CertificateFiles {

  private CertificateFiles() {}

  /// @throws StartRefusal if only one of `tls.cert` and `tls.key` is set, or none can be made
  static TlsSettings of(Settings settings, Path dataFolder) {
    var certificate = settings.value(Catalogue.TLS_CERT);
    var key = settings.value(Catalogue.TLS_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      var set = certificate.isPresent() ? Catalogue.TLS_CERT : Catalogue.TLS_KEY;
      var missing = certificate.isPresent() ? Catalogue.TLS_KEY : Catalogue.TLS_CERT;
      throw new StartRefusal(
          Stage.SETTINGS,
          "%s: set without %s (%s)"
              .formatted(set.name(), missing.name(), settings.setting(set).source()));
    }
    return certificate
        .map(file -> new TlsSettings(file, key.orElseThrow()))
        .orElseGet(() -> SelfSignedCertificate.in(dataFolder))
        .with(
            new TlsSettings.Tickets(
                settings.value(Catalogue.TLS_TICKETS_ROTATE),
                settings.value(Catalogue.TLS_TICKETS_KEEP),
                Optional.of(dataFolder.resolve("ticket-keys"))));
  }
}
