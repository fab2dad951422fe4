package dev.roost.server.park;

import dev.roost.server.park.lean.KeptLean;
import dev.roost.server.park.lean.LeanSlots;
import io.netty.handler.ssl.KeptSsl;
import io.netty.handler.ssl.KeptTls;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What is kept of parked connections, by descriptor: 22 bytes each, and 113 more once one is lean,
/// in chunks that stay, so that parking leaves no garbage. Thread-safe.
final class ParkedTable {

  /// Descriptors of one chunk.
  private static final int CHUNK = 1_024;

  private final Map<Integer, String> serverNames = new HashMap<>();
  private @Nullable Chunk[] chunks = new Chunk[16];
  private int size;
  private int leanSize;

  /// What is kept of one connection.
  ///
  /// @param tls its TLS state
  /// @param serverName what the client asked for by SNI, if it did
  record Kept(KeptTls tls, @Nullable String serverName) {}

  /// How a connection is kept.
  private static final byte LEAN = 1;

  /// It has been found to be one that cannot be lean.
  private static final byte NEVER_LEAN = 2;

  private static final class Chunk {
    private final boolean[] taken = new boolean[CHUNK];
    private final byte[] how = new byte[CHUNK];
    private @Nullable LeanSlots lean;
    private final long[] ssl = new long[CHUNK];
    private final long[] bio = new long[CHUNK];

    /// Tenths of seconds of [System#nanoTime].
    private final int[] since = new int[CHUNK];

    private LeanSlots lean() {
      if (lean == null) {
        lean = new LeanSlots(CHUNK);
      }
      return lean;
    }
  }

  /// @param since when it last did anything, in nanoseconds
  synchronized void put(int socket, Kept kept, long since) {
    var chunk = chunk(socket);
    var slot = socket % CHUNK;
    chunk.taken[slot] = true;
    put(chunk, slot, kept.tls());
    chunk.since[slot] = tenths(since);
    if (kept.serverName() != null) {
      serverNames.put(socket, kept.serverName());
    }
    size++;
  }

  /// Takes out what is kept of `socket`; empty if it is not parked.
  synchronized Optional<Kept> take(int socket) {
    var chunk = socket / CHUNK < chunks.length ? chunks[socket / CHUNK] : null;
    var slot = socket % CHUNK;
    if (chunk == null || !chunk.taken[slot]) {
      return Optional.empty();
    }
    chunk.taken[slot] = false;
    size--;
    return Optional.of(new Kept(take(chunk, slot), serverNames.remove(socket)));
  }

  /// Up to `most` sockets that last did something before `nanos` and might be kept in less.
  int[] fat(long nanos, int most) {
    var limit = tenths(nanos);
    var found = IntStream.builder();
    var left = new int[] {most};
    forEach(
        (chunk, slot) ->
            left[0] > 0
                && chunk.how[slot] == 0
                && chunk.ssl[slot] != 0
                && chunk.since[slot] - limit < 0,
        socket -> {
          left[0]--;
          found.add(socket);
        });
    return found.build().toArray();
  }

  /// The TLS state of a socket that [#fat] has found; empty if it is not there any more.
  synchronized Optional<KeptSsl> engine(int socket) {
    var chunk = chunk(socket);
    var slot = socket % CHUNK;
    return chunk.taken[slot] && chunk.how[slot] == 0
        ? Optional.of(new KeptSsl(chunk.ssl[slot], chunk.bio[slot]))
        : Optional.empty();
  }

  /// What [#engine] gave is replaced by `lean`.
  synchronized void lean(int socket, KeptLean lean) {
    put(chunk(socket), socket % CHUNK, lean);
  }

  /// What [#engine] gave will stay.
  synchronized void neverLean(int socket) {
    chunk(socket).how[socket % CHUNK] = NEVER_LEAN;
  }

  /// How many of them are lean.
  synchronized int leanSize() {
    return leanSize;
  }

  synchronized int size() {
    return size;
  }

  /// Every socket that last did something before `nanos`; `each` may take it out.
  void before(long nanos, IntConsumer each) {
    var limit = tenths(nanos);
    forEach((chunk, slot) -> chunk.since[slot] - limit < 0, each);
  }

  /// Every socket; `each` may take it out.
  void all(IntConsumer each) {
    forEach((_, _) -> true, each);
  }

  private interface Choice {
    boolean of(Chunk chunk, int slot);
  }

  private void forEach(Choice choice, IntConsumer each) {
    var all = snapshot();
    for (var index = 0; index < all.length; index++) {
      var chunk = all[index];
      for (var slot = 0; chunk != null && slot < CHUNK; slot++) {
        if (chunk.taken[slot] && choice.of(chunk, slot)) {
          each.accept(index * CHUNK + slot);
        }
      }
    }
  }

  private synchronized @Nullable Chunk[] snapshot() {
    return chunks;
  }

  private Chunk chunk(int socket) {
    var index = socket / CHUNK;
    if (index >= chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(index + 1, chunks.length * 2));
    }
    var chunk = chunks[index];
    if (chunk == null) {
      chunk = new Chunk();
      chunks[index] = chunk;
    }
    return chunk;
  }

  private void put(Chunk chunk, int slot, KeptTls tls) {
    if (tls instanceof KeptLean lean) {
      chunk.lean().put(slot, lean);
      chunk.how[slot] = LEAN;
      leanSize++;
    } else if (tls instanceof KeptSsl kept) {
      chunk.ssl[slot] = kept.ssl();
      chunk.bio[slot] = kept.bio();
      chunk.how[slot] = 0;
    }
  }

  private KeptTls take(Chunk chunk, int slot) {
    if (chunk.how[slot] == LEAN) {
      leanSize--;
      return chunk.lean().take(slot);
    }
    return new KeptSsl(chunk.ssl[slot], chunk.bio[slot]);
  }

  private static int tenths(long nanos) {
    return (int) (nanos / 100_000_000L);
  }
}
