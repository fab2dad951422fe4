package dev.roost.server.health;

/// A reload cannot begin now. The message is one line for who asked.
public final class ReloadRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ReloadRefusal(String message) {
    super(message, null, false, false);
  }
}
