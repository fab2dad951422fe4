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
/// again. Thread-safe; used once.
final class Round {
  private final List<HeldConnection> connections;
  private final Outcomes outcomes;
  private final AtomicInteger early = new AtomicInteger();
  private volatile boolean reading;

  Round(List<HeldConnection> connections) {
    this.connections = connections;
    this.outcomes = new Outcomes(connections.size());
  }

  /// Asks them all, and gives up once `limit` has passed; blocks until then.
  ///
  /// @param allWritten runs between the last write and the first read
  RoundFigures run(Duration limit, Runnable allWritten) throws InterruptedException {
    onEach(HeldConnection::pause).await();
    long start = System.nanoTime();
    var written = new CountDownLatch(connections.size());
    onEach(connection -> connection.ask(this::ended, written::countDown));
    written.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    allWritten.run();
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
