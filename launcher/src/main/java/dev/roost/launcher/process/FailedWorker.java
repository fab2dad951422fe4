package dev.roost.launcher.process;

/// A worker ended before it was ready; it has said why itself.
public final class FailedWorker extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  FailedWorker(int slot, int exitCode) {
    super(
        "worker %d ended before it was ready: %s".formatted(slot, Worker.ending(exitCode)),
        null,
        false,
        false);
    this.exitCode = exitCode;
  }

  /// As it ended, to end alike.
  public int exitCode() {
    return exitCode;
  }
}
