package dev.roost.server.park;

import io.netty.handler.codec.http2.KeptHttp2;
import io.netty.handler.ssl.KeptSsl;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// What is kept of parked connections, by descriptor: 25 bytes each, in chunks that stay, so that
/// parking leaves no garbage, and what HTTP/2 needs beside them. Thread-safe.
final class ParkedTable {

  /// Descriptors of one chunk.
  private static final int CHUNK = 1_024;

  private final Map<Integer, String> serverNames = new HashMap<>();
  private @Nullable Chunk[] chunks = new Chunk[16];
  private int size;

  /// What is kept of one connection.
  ///
  /// @param tls its TLS state
  /// @param serverName what the client asked for by SNI, if it did
  /// @param http2 what the peers know of each other, if they speak HTTP/2
  record Kept(KeptSsl tls, @Nullable String serverName, @Nullable KeptHttp2 http2) {

    /// As metrics name it.
    String protocol() {
      return http2 == null ? "http1" : "http2";
    }
  }

  private static final class Chunk {
    private final boolean[] taken = new boolean[CHUNK];
    private final long[] ssl = new long[CHUNK];
    private final long[] bio = new long[CHUNK];

    /// Seconds of [System#nanoTime].
    private final int[] since = new int[CHUNK];

    private final @Nullable KeptHttp2[] http2 = new KeptHttp2[CHUNK];
  }

  /// @param since when it last did anything, in nanoseconds
  synchronized void put(int socket, Kept kept, long since) {
    var chunk = chunk(socket);
    var slot = socket % CHUNK;
    chunk.taken[slot] = true;
    chunk.ssl[slot] = kept.tls().ssl();
    chunk.bio[slot] = kept.tls().bio();
    chunk.since[slot] = seconds(since);
    chunk.http2[slot] = kept.http2();
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
    var http2 = chunk.http2[slot];
    chunk.http2[slot] = null;
    var tls = new KeptSsl(chunk.ssl[slot], chunk.bio[slot]);
    return Optional.of(new Kept(tls, serverNames.remove(socket), http2));
  }

  synchronized int size() {
    return size;
  }

  /// Every socket that last did something before `nanos`; `each` may take it out.
  void before(long nanos, IntConsumer each) {
    var limit = seconds(nanos);
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

  private static int seconds(long nanos) {
    return (int) (nanos / 1_000_000_000L);
  }
}
