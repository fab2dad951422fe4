package dev.roost.launcher.deploy;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// What was started, to be stopped in reverse order within one time. Each step runs even if one
/// before it failed. Confined to the thread that starts and stops.
public final class Ending {

  /// Stops one thing, and returns when it has stopped.
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  private final Duration timeout;
  private final Deque<Step> steps = new ArrayDeque<>();
  private long deadline;

  /// @param timeout for all steps together
  public Ending(Duration timeout) {
    this.timeout = timeout;
  }

  /// To be stopped before all that was added so far.
  public void add(Step step) {
    steps.push(step);
  }

  /// Doing so twice is harmless.
  ///
  /// @throws IllegalStateException after the last step, if one of them failed or the time was over
  public void run() {
    deadline = System.nanoTime() + timeout.toNanos();
    var failure = new IllegalStateException("stopping failed");
    while (!steps.isEmpty()) {
      try {
        steps.pop().run();
      } catch (TimeoutException _) {
        failure.addSuppressed(
            new IllegalStateException("not stopped after %d s".formatted(timeout.toSeconds())));
      } catch (ExecutionException wrapped) {
        failure.addSuppressed(wrapped.getCause() == null ? wrapped : wrapped.getCause());
      } catch (Exception other) {
        failure.addSuppressed(other);
      }
    }
    if (failure.getSuppressed().length > 0) {
      throw new IllegalStateException(
          "stopping failed: " + failure.getSuppressed()[0].getMessage(), failure);
    }
  }

  /// Waits for one step's future, no longer than what is left for all.
  public void await(Future<?> stopped) throws Exception {
    long left = Math.max(0, deadline - System.nanoTime());
    stopped.toCompletionStage().toCompletableFuture().get(left, TimeUnit.NANOSECONDS);
  }
}
