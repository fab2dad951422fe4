package dev.roost.testkit;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// How long a test waits for what must come: long enough for a loaded machine, never for ever.
public final class Patience {

  /// Longest wait for one thing.
  public static final Duration LIMIT = Duration.ofSeconds(20);

  private Patience() {}

  /// Waits for `future` and gives what it gives.
  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException failure) {
      Thread.currentThread().interrupt();
      throw new AssertionError(failure);
    } catch (ExecutionException failure) {
      throw new AssertionError(failure.getCause());
    } catch (TimeoutException failure) {
      throw new AssertionError("not done after " + LIMIT, failure);
    }
  }

  /// Waits for the next element.
  public static <T> T poll(BlockingQueue<T> queue) {
    try {
      var element = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (element == null) {
        throw new AssertionError("nothing came within " + LIMIT);
      }
      return element;
    } catch (InterruptedException failure) {
      Thread.currentThread().interrupt();
      throw new AssertionError(failure);
    }
  }

  /// Asks again and again until it is so.
  public static void until(String what, BooleanSupplier so) {
    var end = System.nanoTime() + LIMIT.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not so after %s: %s".formatted(LIMIT, what));
      }
      Thread.onSpinWait();
    }
  }
}
