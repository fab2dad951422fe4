package dev.roost.gate.client;

/// Where a run says how far it is, for the human who waits. Called by one thread.
@FunctionalInterface
public interface Progress {

  /// Tells one line, without a line end.
  void say(String line);
}
