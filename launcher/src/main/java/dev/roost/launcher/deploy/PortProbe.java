package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Key;
import dev.roost.launcher.config.Settings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/// Refuses a port that already answers. A bind alone would not always notice: another process may
/// share the port, or hold the same number on another address.
final class PortProbe {
  /// Loopback answers or refuses within microseconds; an address of another machine is not ours.
  private static final int TIMEOUT_MILLIS = 500;

  private PortProbe() {}

  /// @throws StartRefusal if somebody accepts a connection there
  static void refuseTaken(Settings settings, Key<String> hostKey, Key<Integer> portKey) {
    int port = settings.value(portKey);
    if (port == 0) {
      return;
    }
    for (var host : addresses(settings.value(hostKey))) {
      if (answers(host, port)) {
        throw new StartRefusal(
            Stage.BIND,
            "%s: %d already answers on %s; stop what runs there or choose another port (%s)"
                .formatted(portKey.name(), port, host, settings.setting(portKey).source()));
      }
    }
  }

  private static List<String> addresses(String host) {
    return switch (host) {
      case "::" -> List.of("127.0.0.1", "::1");
      case "0.0.0.0" -> List.of("127.0.0.1");
      default -> List.of(host);
    };
  }

  private static boolean answers(String host, int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      return true;
    } catch (IOException _) {
      return false; // nobody there, or no such address: the bind tells
    }
  }
}
