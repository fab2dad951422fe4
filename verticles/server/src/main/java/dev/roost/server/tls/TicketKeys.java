package dev.roost.server.tls;

import dev.roost.server.settings.TlsSettings;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Keys of session tickets: the newest seals, all open. Whoever has one can read what was said in
/// the TLS 1.2 sessions of its time, and resume as a client of them; so they are kept for a while
/// only, written nowhere but into a file of mode 0600, and overwritten when they are dropped. No
/// `toString` shows them. Confined to its owner; nothing but [#wipe()] changes it.
public final class TicketKeys {

  /// When it was made, in milliseconds since 1970; its name; keys for HMAC-SHA-256 and AES-128-CBC.
  private static final int ENTRY_BYTES = Long.BYTES + OpenSslSessionTicketKey.TICKET_KEY_SIZE;

  private static final int KEYS_MAX = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Entries, the newest first.
  private final byte[] encoded;

  private TicketKeys(byte[] encoded) {
    this.encoded = encoded;
  }

  /// One new key.
  public static TicketKeys fresh(Instant now) {
    return new TicketKeys(entry(now));
  }

  /// As [#encoded()] gave them.
  ///
  /// @throws IllegalArgumentException if these are no keys
  public static TicketKeys of(byte[] encoded) {
    var keys = new TicketKeys(encoded.clone());
    var whole = encoded.length % ENTRY_BYTES == 0;
    if (!whole || keys.size() < 1 || keys.size() > KEYS_MAX || !keys.isOrdered()) {
      throw new IllegalArgumentException("%d bytes are no ticket keys".formatted(encoded.length));
    }
    return keys;
  }

  /// For a file of this user alone, or another process of this server.
  public byte[] encoded() {
    return encoded.clone();
  }

  /// How many there are, 1..16.
  public int size() {
    return encoded.length / ENTRY_BYTES;
  }

  /// When the one that seals was made.
  Instant made() {
    return made(0);
  }

  /// A new one in front of those that are kept.
  TicketKeys rotated(Instant now, TlsSettings.Tickets settings) {
    var kept = Math.min(size(), settings.keep() - 1) * ENTRY_BYTES;
    var all = Arrays.copyOf(entry(now), ENTRY_BYTES + kept);
    System.arraycopy(encoded, 0, all, ENTRY_BYTES, kept);
    return new TicketKeys(all);
  }

  /// Those that are not too old, or too many, or from the future; at least one.
  TicketKeys current(Instant now, TlsSettings.Tickets settings) {
    var oldest = now.minus(settings.keyLife());
    var good =
        IntStream.range(0, Math.min(size(), settings.keep()))
            .filter(key -> made(key).isAfter(oldest) && !made(key).isAfter(now))
            .mapToObj(key -> Arrays.copyOfRange(encoded, start(key), start(key + 1)))
            .toList();
    if (good.isEmpty()) {
      return fresh(now);
    }
    var all = ByteBuffer.allocate(good.size() * ENTRY_BYTES);
    good.forEach(all::put);
    return new TicketKeys(all.array());
  }

  /// As BoringSSL takes them, the one that seals first.
  OpenSslSessionTicketKey[] forBoringSsl() {
    return IntStream.range(0, size())
        .mapToObj(
            key ->
                new OpenSslSessionTicketKey(
                    part(key, 0, OpenSslSessionTicketKey.NAME_SIZE),
                    part(
                        key,
                        OpenSslSessionTicketKey.NAME_SIZE,
                        OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                    part(
                        key,
                        OpenSslSessionTicketKey.NAME_SIZE + OpenSslSessionTicketKey.HMAC_KEY_SIZE,
                        OpenSslSessionTicketKey.AES_KEY_SIZE)))
        .toArray(OpenSslSessionTicketKey[]::new);
  }

  /// Overwrites them. The copies that Netty makes on the way to BoringSSL are left to the
  /// collector; BoringSSL frees its own.
  public void wipe() {
    Arrays.fill(encoded, (byte) 0);
  }

  private byte[] part(int key, int offset, int length) {
    var from = start(key) + Long.BYTES + offset;
    return Arrays.copyOfRange(encoded, from, from + length);
  }

  private Instant made(int key) {
    return Instant.ofEpochMilli(ByteBuffer.wrap(encoded).getLong(start(key)));
  }

  private boolean isOrdered() {
    return IntStream.range(1, size()).noneMatch(key -> made(key).isAfter(made(key - 1)));
  }

  private static int start(int key) {
    return key * ENTRY_BYTES;
  }

  private static byte[] entry(Instant now) {
    var secret = new byte[OpenSslSessionTicketKey.TICKET_KEY_SIZE];
    RANDOM.nextBytes(secret);
    var entry = ByteBuffer.allocate(ENTRY_BYTES).putLong(now.toEpochMilli()).put(secret);
    Arrays.fill(secret, (byte) 0);
    return entry.array();
  }
}
