package dev.roost.launcher.shutdown;

import java.util.concurrent.CompletableFuture;

/// How an orderly end is asked for. Thread-safe.
public interface Stop {

  /// Whether somebody wants it to end.
  default boolean hasCome() {
    return asked().isDone();
  }

  /// Completes when somebody wants it to end, with who that is.
  CompletableFuture<String> asked();

  /// Asks for it from within. Only the first one who asks is heard.
  ///
  /// @param why for the log, such as `POST /drain`
  void ask(String why);
}
