package dev.roost.server.settings;

/// Keys `server.*` and `management.*`.
///
/// @param host address the HTTPS server binds; `::` also takes IPv4 where the kernel has both
/// @param port TCP port, 0..65535; 0 lets the kernel pick a free one
/// @param managementHost address of /metrics, /livez, /readyz
/// @param managementPort its TCP port, 0..65535
/// @param inherited whether this is a worker process: its supervisor hands it the socket of the
///   HTTPS server, and has the management port itself
public record ListenSettings(
    String host, int port, String managementHost, int managementPort, boolean inherited) {
  public ListenSettings {
    Require.between("server.port", port, 0, 65_535);
    Require.between("management.port", managementPort, 0, 65_535);
  }

  /// Those of a process that listens itself.
  public ListenSettings(String host, int port, String managementHost, int managementPort) {
    this(host, port, managementHost, managementPort, false);
  }

  /// The same in a worker process.
  ///
  /// @param port of the socket that it is handed
  public ListenSettings inheriting(int port) {
    return new ListenSettings(host, port, managementHost, managementPort, true);
  }

  /// The same with the ports that were taken.
  public ListenSettings on(int port, int managementPort) {
    return new ListenSettings(host, port, managementHost, managementPort, inherited);
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
