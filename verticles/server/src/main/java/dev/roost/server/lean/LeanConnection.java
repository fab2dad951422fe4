package dev.roost.server.lean;

/// The server's end of a TLS 1.3 connection after its handshake: opens and seals records, changes
/// keys, and knows what a client may say. Confined to the thread of the connection.
public final class LeanConnection {

  private static final int KEY_UPDATE = 24;

  /// Type, length of 3 bytes, whether an answer is asked for (RFC 8446, 4.6.3).
  private static final int KEY_UPDATE_BYTES = 5;

  private static final int ALERT_BYTES = 2;
  private static final int CLOSE_NOTIFY = 0;
  private static final int USER_CANCELED = 90;

  private final Suite suite;
  private final Direction read;
  private final Direction write;
  private final Limits limits;

  /// A handshake message that has come in part.
  private final byte[] message = new byte[KEY_UPDATE_BYTES];

  private int messageBytes;
  private int futile;
  private boolean answerOwed;
  private boolean asked;

  /// What a record said.
  public enum Said {
    /// There is data in the room for plain text.
    DATA,
    /// Nothing that concerns an application.
    NOTHING,
    /// The peer sends no more.
    GOODBYE,
    /// The peer gives the connection up.
    ABORT
  }

  /// @param said what it was
  /// @param bytes of data, from the start of the room for plain text; 0 unless there is data
  public record Opened(Said said, int bytes) {
    private static final Opened NOTHING = new Opened(Said.NOTHING, 0);
    private static final Opened GOODBYE = new Opened(Said.GOODBYE, 0);
    private static final Opened ABORT = new Opened(Said.ABORT, 0);
  }

  /// @param state is this object's from now on
  public LeanConnection(LeanState state) {
    this(state, Limits.RFC_8446);
  }

  LeanConnection(LeanState state, Limits limits) {
    this.suite = state.suite();
    this.read = new Direction(suite, state.read().secret(), state.read().sequence());
    this.write = new Direction(suite, state.write().secret(), state.write().sequence());
    this.limits = limits;
  }

  public Suite suite() {
    return suite;
  }

  /// Opens the record that lies in the `aead`'s room for one.
  ///
  /// @param recordBytes its length, header included, as [Records#bytes] has found it right
  /// @throws TlsRefusal if the client must not send this; nothing may be opened after it
  public Opened open(Aead aead, int recordBytes) throws TlsRefusal {
    if (read.sequence() >= limits.openedMax()) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a client that does not change its keys");
    }
    var innerBytes = read.open(aead, recordBytes);
    if (innerBytes > Records.INNER_BYTES_MAX) {
      throw new TlsRefusal(Alert.RECORD_OVERFLOW, "a record with " + innerBytes + " bytes in it");
    }
    var plain = aead.plain();
    var end = innerBytes;
    while (end > 0 && plain[end - 1] == 0) {
      end--;
    }
    if (end == 0) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a record of nothing but padding");
    }
    return opened(ContentType.of(plain[end - 1]), plain, end - 1);
  }

  /// Whether a [#sealKeyUpdate] has to come before the next data.
  public boolean owesKeyUpdate() {
    return answerOwed
        || write.sequence() >= limits.sealed()
        || (!asked && read.sequence() >= limits.opened());
  }

  /// Seals what lies in the `aead`'s room for plain text.
  ///
  /// @param bytes how much, 0 to 2^14
  /// @return length of the record, in the room for one
  /// @throws IllegalStateException if a KeyUpdate is owed
  public int sealData(Aead aead, int bytes) {
    if (owesKeyUpdate()) {
      throw new IllegalStateException("the keys have to be changed first");
    }
    return seal(ContentType.APPLICATION_DATA, aead, bytes);
  }

  /// Seals a KeyUpdate; what is sealed next is under new keys.
  ///
  /// @return length of the record, in the room for one
  public int sealKeyUpdate(Aead aead) {
    var ask = !asked && read.sequence() >= limits.opened();
    asked |= ask;
    answerOwed = false;
    var update = new byte[] {KEY_UPDATE, 0, 0, 1, (byte) (ask ? 1 : 0)};
    System.arraycopy(update, 0, aead.plain(), 0, KEY_UPDATE_BYTES);
    var length = seal(ContentType.HANDSHAKE, aead, KEY_UPDATE_BYTES);
    write.update();
    return length;
  }

  /// Seals an alert.
  ///
  /// @return length of the record, in the room for one
  public int sealAlert(Aead aead, Alert alert) {
    System.arraycopy(alert.message(), 0, aead.plain(), 0, ALERT_BYTES);
    return seal(ContentType.ALERT, aead, ALERT_BYTES);
  }

  /// Whether nothing has come, or is owed, that a [LeanState] would not hold.
  public boolean isBetweenMessages() {
    return messageBytes == 0 && !answerOwed;
  }

  /// What goes on in its place; this one is of no use afterwards.
  public LeanState park() {
    var state =
        new LeanState(
            suite,
            new LeanState.Side(read.copyOfSecret(), read.sequence()),
            new LeanState.Side(write.copyOfSecret(), write.sequence()));
    wipe();
    return state;
  }

  /// Zeroes secrets and keys.
  public void wipe() {
    read.wipe();
    write.wipe();
  }

  private Opened opened(ContentType type, byte[] plain, int bytes) throws TlsRefusal {
    if (messageBytes > 0 && !type.equals(ContentType.HANDSHAKE)) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a record amid a handshake message");
    }
    if (type.equals(ContentType.APPLICATION_DATA) && bytes > 0) {
      futile = 0;
      return new Opened(Said.DATA, bytes);
    }
    if (++futile > limits.futile()) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "too many records without data");
    }
    return switch (type) {
      case APPLICATION_DATA -> Opened.NOTHING;
      case HANDSHAKE -> handshake(plain, bytes);
      case ALERT -> alert(plain, bytes);
    };
  }

  private static Opened alert(byte[] plain, int bytes) throws TlsRefusal {
    if (bytes != ALERT_BYTES) {
      throw new TlsRefusal(Alert.DECODE_ERROR, "an alert of " + bytes + " bytes");
    }
    return switch (plain[1]) {
      case CLOSE_NOTIFY -> Opened.GOODBYE;
      case USER_CANCELED -> Opened.NOTHING; // a close_notify follows it
      default -> Opened.ABORT;
    };
  }

  /// A client has nothing to say of the handshake any more but that its keys change.
  private Opened handshake(byte[] plain, int bytes) throws TlsRefusal {
    if (bytes == 0) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a handshake record without a message");
    }
    var missing = KEY_UPDATE_BYTES - messageBytes;
    System.arraycopy(plain, 0, message, messageBytes, Math.min(bytes, missing));
    messageBytes += Math.min(bytes, missing);
    if (message[0] != KEY_UPDATE) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "a handshake message of type " + message[0]);
    }
    if ((messageBytes > 1 && message[1] != 0)
        || (messageBytes > 2 && message[2] != 0)
        || (messageBytes > 3 && message[3] != 1)) {
      throw new TlsRefusal(Alert.DECODE_ERROR, "a KeyUpdate of another length");
    }
    if (bytes > missing) {
      throw new TlsRefusal(Alert.UNEXPECTED_MESSAGE, "more behind a KeyUpdate, under its old keys");
    }
    if (messageBytes == KEY_UPDATE_BYTES) {
      messageBytes = 0;
      updated(message[KEY_UPDATE_BYTES - 1]);
    }
    return Opened.NOTHING;
  }

  private void updated(byte request) throws TlsRefusal {
    switch (request) {
      case 0 -> {}
      case 1 -> answerOwed = true; // several before the next flush get one answer
      default -> throw new TlsRefusal(Alert.ILLEGAL_PARAMETER, "a KeyUpdate with " + request);
    }
    asked = false;
    read.update();
  }

  private int seal(ContentType type, Aead aead, int bytes) {
    aead.plain()[bytes] = type.code();
    return write.seal(aead, bytes + 1);
  }
}
