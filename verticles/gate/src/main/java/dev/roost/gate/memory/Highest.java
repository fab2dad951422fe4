package dev.roost.gate.memory;

import java.time.Duration;
import java.util.OptionalLong;

/// Samples a process tree's memory until it is closed, on a thread of its own, and keeps the
/// highest. Thread-safe.
public final class Highest implements AutoCloseable {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  private final ProcessMemory memory;
  private final Thread sampler;
  private volatile OptionalLong highest = OptionalLong.empty();

  /// Starts sampling.
  public Highest(ProcessMemory memory) {
    this.memory = memory;
    this.sampler = Thread.ofPlatform().daemon().name("gate-memory").start(this::sample);
  }

  private void sample() {
    try {
      while (true) {
        OptionalLong now = memory.bytes();
        if (now.isPresent() && now.getAsLong() > highest.orElse(0)) {
          highest = now;
        }
        Thread.sleep(BETWEEN);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /// The highest sample until now, in bytes; empty while there is none.
  public OptionalLong bytes() {
    return highest;
  }

  @Override
  public void close() {
    sampler.interrupt();
  }
}
