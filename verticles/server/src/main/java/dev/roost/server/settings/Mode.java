package dev.roost.server.settings;

/// Key `mode`: where the application's handlers run.
public enum Mode {
  /// On the event loop of their connection; they must not block.
  REACTOR,
  /// Each request's on a virtual thread of its own; they may block.
  CLASSIC
}
