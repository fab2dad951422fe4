package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Settings;
import dev.roost.server.settings.BlockingSettings;
import dev.roost.server.settings.HttpSettings;
import dev.roost.server.settings.ListenSettings;
import dev.roost.server.settings.ParkSettings;
import dev.roost.server.settings.PipelineSettings;
import dev.roost.server.settings.ReactorSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.ShutdownSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import dev.roost.server.settings.StreamSettings;
import dev.roost.server.settings.TlsSettings;
import dev.roost.server.settings.TopicSettings;
import dev.roost.server.settings.WebSocketSettings;
import dev.roost.server.tracing.TracingSettings;
import java.nio.file.Files;
import java.nio.file.Path;

/// The settings as the server's records.
final class ServerValues {
  /// Linux lists its IPv6 addresses here, and has no such file without IPv6.
  private static final Path IPV6_ADDRESSES = Path.of("/proc/net/if_inet6");

  private final Settings settings;

  private ServerValues(Settings settings) {
    this.settings = settings;
  }

  /// @throws StartRefusal if a record refuses a value
  static ServerSettings of(Settings settings, TlsSettings tls) {
    try {
      return new ServerValues(settings).server(tls);
    } catch (IllegalArgumentException refused) {
      throw new StartRefusal(Stage.SETTINGS, String.valueOf(refused.getMessage()));
    }
  }

  /// @throws StartRefusal if the record refuses the value
  static TracingSettings tracing(Settings settings) {
    try {
      return new TracingSettings(settings.value(Catalogue.TRACING_ENDPOINT));
    } catch (IllegalArgumentException refused) {
      throw new StartRefusal(Stage.SETTINGS, String.valueOf(refused.getMessage()));
    }
  }

  private ServerSettings server(TlsSettings tls) {
    return new ServerSettings(
        settings.value(Catalogue.MODE),
        listen(),
        tls,
        new ParkSettings(
            settings.value(Catalogue.TLS_PARK),
            settings.value(Catalogue.TLS_PARK_AFTER),
            settings.value(Catalogue.TLS_LEAN_AFTER),
            settings.value(Catalogue.MEMORY_TRIM_AFTER)),
        new HttpSettings(
            Math.toIntExact(settings.value(Catalogue.HTTP_HEADER_SIZE)),
            settings.value(Catalogue.HTTP_BODY_SIZE),
            settings.value(Catalogue.HTTP_KEEP_ALIVE_TIMEOUT),
            settings.value(Catalogue.HTTP_SEND_TIMEOUT)),
        pipeline(),
        new ReactorSettings(
            settings.value(Catalogue.INSTANCES),
            settings.value(Catalogue.REACTOR_CONTINUATIONS),
            settings
                .value(Catalogue.REACTOR_CONNECTIONS)
                .orElseGet(ReactorSettings::connectionsAllowed),
            settings.value(Catalogue.REACTOR_BLOCKED_AFTER)),
        webSocket(),
        new BlockingSettings(
            settings.value(Catalogue.BLOCKING_HANDLERS), settings.value(Catalogue.BLOCKING_INBOX)),
        streams(),
        new ShutdownSettings(
            settings.value(Catalogue.SHUTDOWN_PRE_STOP),
            settings.value(Catalogue.SHUTDOWN_DRAIN_TIMEOUT)));
  }

  private ListenSettings listen() {
    return new ListenSettings(
        host(settings),
        settings.value(Catalogue.SERVER_PORT),
        settings.value(Catalogue.MANAGEMENT_HOST),
        settings.value(Catalogue.MANAGEMENT_PORT));
  }

  /// The built-in `::` gives way to `0.0.0.0` on a kernel without IPv6; a `::` of the operator's
  /// does not, its bind fails.
  private static String host(Settings settings) {
    var host = settings.value(Catalogue.SERVER_HOST);
    var linux = Files.exists(IPV6_ADDRESSES.getParent());
    var builtIn = settings.setting(Catalogue.SERVER_HOST).isBuiltIn();
    return builtIn && linux && Files.notExists(IPV6_ADDRESSES) ? "0.0.0.0" : host;
  }

  private PipelineSettings pipeline() {
    int batch = settings.value(Catalogue.HTTP_BATCH);
    return new PipelineSettings(
        batch,
        settings.value(Catalogue.HTTP_YIELD_BATCH).orElse(batch),
        Math.toIntExact(settings.value(Catalogue.HTTP_COALESCE)));
  }

  private WebSocketSettings webSocket() {
    return new WebSocketSettings(
        Math.toIntExact(settings.value(Catalogue.WS_FRAME_SIZE)),
        Math.toIntExact(settings.value(Catalogue.WS_MESSAGE_SIZE)),
        settings.value(Catalogue.WS_IDLE_TIMEOUT),
        settings.value(Catalogue.WS_PING),
        settings.value(Catalogue.WS_OUTBOX),
        settings.value(Catalogue.WS_ORIGINS),
        settings.value(Catalogue.WS_COMPRESSION));
  }

  private StreamSettings streams() {
    return new StreamSettings(
        settings.value(Catalogue.SSE_HEARTBEAT),
        settings.value(Catalogue.SSE_OUTBOX),
        settings.value(Catalogue.LONG_POLL_TIMEOUT),
        new TopicSettings(
            settings.value(Catalogue.TOPIC_HISTORY),
            settings.value(Catalogue.TOPIC_HISTORY_SIZE),
            Math.toIntExact(settings.value(Catalogue.TOPIC_MESSAGE_SIZE))));
  }
}
