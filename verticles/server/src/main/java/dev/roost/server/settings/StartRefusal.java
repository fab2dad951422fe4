package dev.roost.server.settings;

/// Something the operator can mend stops the start. The message is one line that says what and how;
/// there is no stack trace, since none would help.
public final class StartRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What was being done; the launcher gives each an exit code of its own.
  public enum Stage {
    SETTINGS,
    TRANSPORT,
    CERTIFICATE,
    BIND,
    DATABASE,
    APPLICATION
  }

  private final Stage stage;

  /// @param message one line, for the operator
  public StartRefusal(Stage stage, String message) {
    super(message, null, false, false);
    this.stage = stage;
  }

  /// An address that cannot be bound.
  ///
  /// @param key of the port
  /// @param address host and port
  /// @param failure of the transport; Netty's native ones tell the system call and its number first
  public static StartRefusal ofBind(String key, String address, Throwable failure) {
    var reason = String.valueOf(failure.getMessage()).replaceFirst("^bind\\(.*\\): ", "");
    return new StartRefusal(
        Stage.BIND, "%s: %s cannot be bound: %s".formatted(key, address, reason));
  }

  /// What was being done.
  public Stage stage() {
    return stage;
  }
}
