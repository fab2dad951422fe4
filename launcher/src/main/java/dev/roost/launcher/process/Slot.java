package dev.roost.launcher.process;

import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// One listening socket and who accepts on it: a worker, and for a while its successor too. A
/// worker that dies is replaced. Confined to the supervisor's loop.
final class Slot implements Worker.Owner {
  private static final Logger LOG = System.getLogger(Slot.class.getName());

  /// A worker that is not ready after so long is killed: ten times what a start takes on a busy
  /// machine. The first ones may have a database to migrate.
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration FIRST_READY_TIMEOUT = Duration.ofMinutes(10);

  private final int number;
  private final Crew crew;
  private final Backoff backoff = new Backoff();
  private Optional<Worker> current = Optional.empty();
  private Optional<Worker> successor = Optional.empty();
  private Optional<Worker> leaving = Optional.empty();
  private Optional<Future<?>> restart = Optional.empty();
  private CompletableFuture<Void> replaced = CompletableFuture.completedFuture(null);

  Slot(int number, Crew crew) {
    this.number = number;
    this.crew = crew;
  }

  int number() {
    return number;
  }

  /// Whether somebody accepts on its socket.
  boolean isReady() {
    return current.map(Worker::isReady).orElse(false);
  }

  void start() {
    restart = Optional.empty();
    current = hired();
    if (current.isEmpty()) {
      again(Duration.ZERO);
    }
  }

  /// Puts another worker into the place of this one: that one is ready before this one accepts no
  /// more.
  ///
  /// @return completes when this one has ended; fails if that one did before it was ready
  CompletableFuture<Void> replace() {
    restart.ifPresent(waiting -> waiting.cancel(false));
    restart = Optional.empty();
    replaced = new CompletableFuture<>();
    successor = hired();
    if (successor.isEmpty()) {
      failReplacement("could not be started");
    }
    return replaced;
  }

  /// Starts nobody any more.
  void close() {
    restart.ifPresent(waiting -> waiting.cancel(false));
    replaced.completeExceptionally(new IllegalStateException("stopping"));
  }

  @Override
  public void ready(Worker worker) {
    if (is(successor, worker)) {
      leaving = current;
      current = successor;
      successor = Optional.empty();
      leaving.ifPresent(this::retire);
      if (leaving.isEmpty()) {
        replaced.complete(null);
      }
    }
    crew.ready(this);
  }

  @Override
  public Common common() {
    return crew.common();
  }

  @Override
  public void gone(Worker worker) {
    crew.gone(worker);
    if (is(leaving, worker)) {
      leaving = Optional.empty();
      replaced.complete(null);
    } else if (is(successor, worker)) {
      successor = Optional.empty();
      failReplacement(Worker.ending(worker.exitCode()));
    } else {
      current = Optional.empty();
      died(worker);
    }
  }

  private void retire(Worker worker) {
    worker.retire();
    // its last handshakes may take as long as its drain
    crew.later(
        crew.endTimeout().multipliedBy(2),
        () -> leaving.filter(worker::equals).ifPresent(this::kill));
  }

  private void died(Worker worker) {
    crew.steer();
    if (crew.isLeaving()) {
      return;
    }
    if (!crew.hasStarted()) {
      crew.failed(new FailedWorker(number, worker.exitCode()));
      return;
    }
    log(worker, "has ended (%s)".formatted(Worker.ending(worker.exitCode())));
    if (successor.isEmpty()) {
      again(worker.age());
    }
  }

  private void failReplacement(String why) {
    replaced.completeExceptionally(
        new IllegalStateException(
            "the new worker of slot %d was not ready: %s; the old ones go on"
                .formatted(number, why)));
    if (current.isEmpty() && !crew.isLeaving()) {
      again(Duration.ZERO);
    }
  }

  private void again(Duration lived) {
    if (!crew.hasStarted()) {
      crew.failed(new IllegalStateException("worker %d cannot be started".formatted(number)));
      return;
    }
    crew.restarts();
    var wait = backoff.after(lived);
    restart = Optional.of(crew.timer(wait, this::start));
  }

  private Optional<Worker> hired() {
    try {
      var worker = crew.hire(this);
      var timeout = crew.hasStarted() ? READY_TIMEOUT : FIRST_READY_TIMEOUT;
      crew.later(timeout, () -> killUnlessReady(worker));
      return Optional.of(worker);
    } catch (IOException failure) {
      LOG.log(Level.ERROR, "worker {0} cannot be started: {1}", number, failure.getMessage());
      return Optional.empty();
    }
  }

  private void killUnlessReady(Worker worker) {
    if (!worker.wasReady()) {
      kill(worker);
    }
  }

  private void kill(Worker worker) {
    if (crew.has(worker)) {
      log(worker, "is killed: it has not done as it was told in time");
      worker.kill();
    }
  }

  private void log(Worker worker, String what) {
    LOG.log(
        Level.WARNING, "worker {0} (process {1}) {2}", number, Long.toString(worker.pid()), what);
  }

  private static boolean is(Optional<Worker> place, Worker worker) {
    return place.filter(worker::equals).isPresent();
  }
}
