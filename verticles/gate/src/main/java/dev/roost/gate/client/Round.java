package dev.roost.gate.client;

import dev.roost.gate.verdict.Outcome;
import dev.roost.gate.verdict.RoundFigures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// One GET on every connection, all of them written before any answer is read: first every
/// connection stops reading, then each one writes, and only when all have written does any read
/// again. Written and read by one thread; used once.
final class Round {
  private final List<HeldConnection> connections;
  private final Outcomes outcomes;
  private final AtomicInteger early = new AtomicInteger();
  private volatile boolean reading;
  private long start;

  Round(List<HeldConnection> connections) {
    this.connections = List.copyOf(connections);
    this.outcomes = new Outcomes(connections.size());
  }

  /// Asks them all; blocks until every GET is written or `limit` has passed.
  void write(Duration limit) throws InterruptedException {
    onEach(HeldConnection::pause).await();
    start = System.nanoTime();
    var written = new CountDownLatch(connections.size());
    onEach(connection -> connection.ask(this::ended, written::countDown));
    written.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Reads the answers, and gives up once `limit` has passed since the first was asked.
  RoundFigures read(Duration limit) throws InterruptedException {
    reading = true;
    onEach(HeldConnection::resume);
    outcomes.await(limit.minusNanos(System.nanoTime() - start));
    var figures =
        new RoundFigures(
            outcomes.tally(), early.get(), Duration.ofNanos(System.nanoTime() - start));
    onEach(HeldConnection::expire).await();
    return figures;
  }

  private CountDownLatch onEach(Consumer<HeldConnection> action) {
    var done = new CountDownLatch(connections.size());
    for (HeldConnection connection : connections) {
      connection.onLoop(
          () -> {
            action.accept(connection);
            done.countDown();
          });
    }
    return done;
  }

  private void ended(HeldConnection connection, Outcome outcome) {
    if (!reading && outcome != Outcome.CLOSED) {
      early.incrementAndGet();
    }
    outcomes.count(outcome);
  }
}
