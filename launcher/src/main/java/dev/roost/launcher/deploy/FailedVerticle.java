package dev.roost.launcher.deploy;

/// What was to run did not start, for a reason of its own. The cause has the stack trace.
public final class FailedVerticle extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param cause its first line is told
  public FailedVerticle(String name, Throwable cause) {
    super("%s: failed to start: %s".formatted(name, oneLine(cause)), cause, false, false);
  }

  private static String oneLine(Throwable cause) {
    return cause.toString().lines().findFirst().orElse("");
  }
}
