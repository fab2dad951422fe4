package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Key;
import dev.roost.launcher.config.Settings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
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

  /// @throws StartRefusal if both ports are one number, since the second bind would fail
  static void refuseSame(Settings settings) {
    int port = settings.value(Catalogue.SERVER_PORT);
    if (port != 0 && port == settings.value(Catalogue.MANAGEMENT_PORT)) {
      throw new StartRefusal(
          Stage.SETTINGS,
          "%s: %d is %s too; the two need different ports (%s)"
              .formatted(
                  Catalogue.MANAGEMENT_PORT.name(),
                  port,
                  Catalogue.SERVER_PORT.name(),
                  settings.setting(Catalogue.MANAGEMENT_PORT).source()));
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
      var address = new InetSocketAddress(host, port);
      if (address.isUnresolved() || !isOurs(address.getAddress())) {
        return false;
      }
      socket.connect(address, TIMEOUT_MILLIS);
      return true;
    } catch (IOException _) {
      return false; // nobody there, or no such address: the bind tells
    }
  }

  /// Another machine is never asked.
  private static boolean isOurs(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }
}
