package dev.roost.server.lean;

/// How records lie on the wire (RFC 8446, 5.1 and 5.2).
public final class Records {

  /// Type, version, length.
  public static final int HEADER_BYTES = 5;

  /// Most data in one record.
  public static final int DATA_BYTES_MAX = 1 << 14;

  /// Most that may be sealed in one record: the data, its padding, and its type.
  static final int INNER_BYTES_MAX = DATA_BYTES_MAX + 1;

  private static final int SEALED_BYTES_MAX = DATA_BYTES_MAX + 256;

  /// Of the largest record.
  public static final int RECORD_BYTES_MAX = HEADER_BYTES + SEALED_BYTES_MAX;

  private static final int VERSION = 0x0303;

  private Records() {}

  /// The length of the record that begins with this type and length.
  ///
  /// @param type its first byte
  /// @param length what its header says
  /// @throws TlsRefusal if no such record may come after the handshake
  public static int bytes(int type, int length) throws TlsRefusal {
    if (type != ContentType.APPLICATION_DATA.code()) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a record of type " + type);
    }
    if (length > SEALED_BYTES_MAX) {
      throw new TlsRefusal(Alert.RECORD_OVERFLOW, "a record of " + length + " bytes");
    }
    return HEADER_BYTES + length;
  }

  static void putHeader(byte[] record, int sealedBytes) {
    record[0] = ContentType.APPLICATION_DATA.code();
    record[1] = (byte) (VERSION >> 8);
    record[2] = (byte) VERSION;
    record[3] = (byte) (sealedBytes >> 8);
    record[4] = (byte) sealedBytes;
  }
}
