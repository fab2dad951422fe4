package dev.roost.server.park;

import dev.roost.server.park.lean.BoringSecrets;
import dev.roost.server.park.lean.Leaning;
import io.netty.handler.ssl.KeptSsl;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Makes those of a [ParkedSet] lean that have been silent for `tls.lean-after`, and when the heap
/// is short of room those that have not, the first of the table first. Confined to the loop that
/// accepts.
final class LeanSweep {

  /// Connections of one turn of the loop: about 5 ms.
  private static final int TURN = 128;

  /// Time between two turns while there are more.
  private static final long PAUSE_MILLIS = 10;

  private static final long PERIOD_MILLIS_MAX = 1_000;
  private static final long PERIOD_MILLIS_MIN = 100;

  private final ParkedSet set;
  private final ParkedTable table;
  private final Parking parking;
  private final Leaning leaning;
  private final Duration after;

  LeanSweep(ParkedSet set, ParkedTable table, Parking parking, BoringSecrets secrets) {
    this.set = set;
    this.table = table;
    this.parking = parking;
    this.leaning = new Leaning(secrets);
    this.after = parking.leanAfter();
  }

  void start() {
    schedule(Math.clamp(after.toMillis() / 2, PERIOD_MILLIS_MIN, PERIOD_MILLIS_MAX));
  }

  private void schedule(long millis) {
    var _ = set.loop().schedule(this::sweep, millis, TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    if (set.isClosed()) {
      return;
    }
    var silence = parking.room().left(0) > 0 ? after.toNanos() : 0;
    var found = table.fat(System.nanoTime() - silence, TURN);
    for (var socket : found) {
      table.engine(socket).ifPresent(kept -> lean(socket, kept));
    }
    if (found.length == TURN) {
      schedule(PAUSE_MILLIS);
    } else {
      start();
    }
  }

  private void lean(int socket, KeptSsl kept) {
    switch (leaning.of(kept, bytes -> LastWords.send(socket, bytes))) {
      case Leaning.Lean(var lean) -> table.lean(socket, lean);
      case Leaning.Stays(var reason) -> {
        table.neverLean(socket);
        parking.metrics().notLean(reason);
      }
      case Leaning.Lost() -> set.lose(socket);
    }
  }
}
