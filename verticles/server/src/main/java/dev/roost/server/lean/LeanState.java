package dev.roost.server.lean;

import java.util.Arrays;

/// All that a connection needs to go on: what is kept of it while it is parked. Confined to one
/// thread at a time.
///
/// Whoever holds it calls [#wipe] in the end, or makes a [LeanConnection] of it, which does.
public final class LeanState {

  private final Suite suite;
  private final Side read;
  private final Side write;

  /// One direction.
  public static final class Side {
    private final byte[] secret;
    private final long sequence;

    /// @param secret the traffic secret in use, 32 or 48 bytes, which is this object's from now on
    /// @param sequence number of the next record
    public Side(byte[] secret, long sequence) {
      this.secret = secret;
      this.sequence = sequence;
    }

    /// The one that is wiped, no copy.
    public byte[] secret() {
      return secret;
    }

    public long sequence() {
      return sequence;
    }

    @Override
    public String toString() {
      return "record " + sequence;
    }
  }

  public LeanState(Suite suite, Side read, Side write) {
    this.suite = suite;
    this.read = read;
    this.write = write;
  }

  public Suite suite() {
    return suite;
  }

  /// From the client.
  public Side read() {
    return read;
  }

  /// To the client.
  public Side write() {
    return write;
  }

  /// One more, to be wiped too.
  public LeanState copy() {
    return new LeanState(suite, copy(read), copy(write));
  }

  /// Zeroes the secrets.
  public void wipe() {
    Arrays.fill(read.secret, (byte) 0);
    Arrays.fill(write.secret, (byte) 0);
  }

  @Override
  public String toString() {
    return suite + ", read " + read + ", write " + write;
  }

  private static Side copy(Side side) {
    return new Side(side.secret.clone(), side.sequence);
  }
}
