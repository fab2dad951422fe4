package dev.roost.server.settings;

/// Keys `server.*` and `management.*`.
///
/// @param host address the HTTPS server binds; `::` also takes IPv4 where the kernel has both
/// @param port TCP port, 0..65535; 0 lets the kernel pick a free one
/// @param managementHost address of /metrics, /livez, /readyz
/// @param managementPort its TCP port, 0..65535
public record ListenSettings(String host, int port, String managementHost, int managementPort) {
  public ListenSettings {
    Require.between("server.port", port, 0, 65_535);
    Require.between("management.port", managementPort, 0, 65_535);
  }

  /// Host and port of the HTTPS server, for messages.
  public String address() {
    return address(host, port);
  }

  /// Host and port of the management server, for messages.
  public String managementAddress() {
    return address(managementHost, managementPort);
  }

  /// Two free ports on the loopback address, as tests want it.
  public static ListenSettings loopback() {
    return new ListenSettings("127.0.0.1", 0, "127.0.0.1", 0);
  }

  private static String address(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
