package dev.roost.launcher.deploy;

import dev.roost.server.settings.ListenSettings;

/// What runs where, in one line.
///
/// @param listen with the ports that were taken
/// @param transport its name
/// @param processes 1 where there is no supervisor
/// @param instances event loops of each process
public record StartLine(ListenSettings listen, String transport, int processes, int instances) {

  /// @param name of what is served
  public String text(String name) {
    return "%s at https://%s · metrics at http://%s · %s%s · %s"
        .formatted(
            name,
            address(listen.host(), listen.port()),
            address(listen.managementHost(), listen.managementPort()),
            transport,
            processes == 1 ? "" : " · %d processes".formatted(processes),
            counted(instances));
  }

  static String counted(int instances) {
    return instances == 1 ? "1 instance" : instances + " instances";
  }

  private static String address(String host, int port) {
    return switch (host) {
      case "::", "0.0.0.0" -> "localhost:" + port;
      default -> (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    };
  }
}
