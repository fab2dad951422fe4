package dev.roost.launcher.shutdown;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import sun.misc.Signal;

/// SIGTERM and SIGINT: the first of either asks for an orderly end, a SIGINT after that ends at once.
/// Thread-safe. There is one for a process.
///
/// A JVM shutdown hook would not do: the JVM then exits with 143, also after an orderly end.
public final class StopSignal {
  /// 128 and the number of SIGINT, as shells report a process that it ended.
  public static final int INTERRUPTED = 130;

  private final CompletableFuture<String> first = new CompletableFuture<>();
  private final Consumer<String> log;

  private StopSignal(Consumer<String> log) {
    this.log = log;
  }

  /// Takes both signals from now on.
  ///
  /// @param log takes a line at the first signal
  @SuppressWarnings("sunapi") // the JDK has no other way to hear of a signal
  public static StopSignal listen(Consumer<String> log) {
    var stop = new StopSignal(log);
    Signal.handle(new Signal("TERM"), signal -> stop.received(signal.getName()));
    Signal.handle(new Signal("INT"), signal -> stop.received(signal.getName()));
    return stop;
  }

  /// Waits for the first signal.
  ///
  /// @return its name, `TERM` or `INT`
  public String await() {
    return first.join();
  }

  private void received(String name) {
    if (first.complete(name)) {
      log.accept("stopping (SIG%s); SIGINT stops at once".formatted(name));
    } else if (name.equals("INT")) {
      Runtime.getRuntime().halt(INTERRUPTED);
    }
  }
}
