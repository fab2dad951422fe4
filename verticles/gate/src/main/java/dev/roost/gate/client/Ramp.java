package dev.roost.gate.client;

import dev.roost.gate.verdict.Outcome;
import dev.roost.gate.verdict.RampFigures;
import io.netty.channel.ChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Opens connections with a GET on each, a bounded number at once. Thread-safe; used once.
final class Ramp {
  private final Dialer dialer;
  private final Idleness idleness;
  private final int wanted;
  private final Outcomes outcomes;
  private final AtomicInteger started = new AtomicInteger();
  private final Queue<HeldConnection> established = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  Ramp(Dialer dialer, Idleness idleness, int wanted) {
    this.dialer = dialer;
    this.idleness = idleness;
    this.wanted = wanted;
    this.outcomes = new Outcomes(wanted);
  }

  /// Opens them all, or gives up once `limit` has passed; blocks until then.
  RampFigures run(int inFlightMax, Duration limit) throws InterruptedException {
    long start = System.nanoTime();
    for (int count = Math.min(inFlightMax, wanted); count > 0; count--) {
      dialNext();
    }
    outcomes.await(limit);
    over = true;
    return new RampFigures(wanted, outcomes.tally(), Duration.ofNanos(System.nanoTime() - start));
  }

  /// Those that answered well, in the order they did.
  List<HeldConnection> established() {
    return List.copyOf(established);
  }

  private void dialNext() {
    int index = started.getAndIncrement();
    while (index < wanted && !over && !dial()) {
      outcomes.count(Outcome.UNCONNECTED);
      index = started.getAndIncrement();
    }
  }

  private boolean dial() {
    try {
      dialer.dial(idleness, this::ended);
      return true;
    } catch (ChannelException noSocket) {
      dialer.note(noSocket);
      return false;
    }
  }

  private void ended(HeldConnection connection, Outcome outcome) {
    if (outcome == Outcome.GOOD && !over) {
      established.add(connection);
    } else {
      connection.close();
    }
    outcomes.count(outcome);
    dialNext();
  }
}
