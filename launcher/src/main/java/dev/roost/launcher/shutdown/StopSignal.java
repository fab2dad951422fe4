package dev.roost.launcher.shutdown;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// SIGTERM and SIGINT: the first of either asks for an orderly end, a SIGINT after that ends at
/// once. Thread-safe. There is one for a process.
///
/// A JVM shutdown hook would not do: the JVM then exits with 143, also after an orderly end.
public final class StopSignal implements Stop {
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
  public static StopSignal listen(Consumer<String> log) {
    var stop = new StopSignal(log);
    stop.take("TERM");
    stop.take("INT");
    return stop;
  }

  /// Waits for the first signal, or for who asks otherwise.
  ///
  /// @return its name, `SIGTERM` or `SIGINT`, or why it was asked
  public String await() {
    return first.join();
  }

  @Override
  public CompletableFuture<String> asked() {
    return first.copy();
  }

  @Override
  public void ask(String why) {
    if (first.complete(why)) {
      log.accept("stopping (%s); SIGINT stops at once".formatted(why));
    }
  }

  private void received(String name) {
    if (first.isDone() && name.equals("INT")) {
      Runtime.getRuntime().halt(INTERRUPTED);
    }
    ask("SIG" + name);
  }

  /// `sun.misc.Signal.handle(new Signal(name), _ -> received(name))`, by reflection: the JDK has no
  /// other way to hear of a signal, and no way to tell its compiler that this one is meant.
  private void take(String name) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handler = Class.forName("sun.misc.SignalHandler");
      var ours =
          Proxy.newProxyInstance(
              StopSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (_, _, _) -> {
                received(name);
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException("this JVM has no signals (module jdk.unsupported)", failure);
    }
  }
}
