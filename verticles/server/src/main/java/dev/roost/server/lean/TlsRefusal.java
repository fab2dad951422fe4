package dev.roost.server.lean;

/// A peer has broken the rules of TLS: it is told by an alert, and the connection ends.
public final class TlsRefusal extends Exception {

  private static final long serialVersionUID = 1L;

  private final Alert alert;

  TlsRefusal(Alert alert, String message) {
    super(message, null, false, false);
    this.alert = alert;
  }

  /// What the peer is told.
  public Alert alert() {
    return alert;
  }
}
