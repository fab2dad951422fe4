package dev.roost.server.lean;

/// What a record holds (RFC 8446, 5.1).
public enum ContentType {
  ALERT(21),
  HANDSHAKE(22),
  APPLICATION_DATA(23);

  private final byte code;

  ContentType(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  /// @throws TlsRefusal if a sealed record may hold no such thing
  static ContentType of(byte code) throws TlsRefusal {
    for (var type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a record of type " + code + " in a sealed one");
  }
}
