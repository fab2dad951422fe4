package dev.roost.server.lean;

/// The alerts that this side sends (RFC 8446, 6). All but the first are fatal.
public enum Alert {
  CLOSE_NOTIFY(0),
  UNEXPECTED_MESSAGE(10),
  BAD_RECORD_MAC(20),
  RECORD_OVERFLOW(22),
  ILLEGAL_PARAMETER(47),
  DECODE_ERROR(50),
  INTERNAL_ERROR(80);

  private static final byte WARNING = 1;
  private static final byte FATAL = 2;

  private final byte description;

  Alert(int description) {
    this.description = (byte) description;
  }

  /// Level and description.
  byte[] message() {
    return new byte[] {equals(CLOSE_NOTIFY) ? WARNING : FATAL, description};
  }
}
