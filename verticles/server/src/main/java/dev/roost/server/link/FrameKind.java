package dev.roost.server.link;

import java.util.Optional;

/// What a message between a worker and its supervisor is about; the package says what each carries.
/// Its number on the wire is its place here: both ends are of one version, but for a rolling restart
/// into another, so that new kinds come last.
public enum FrameKind {
  ADOPTED,
  READY,
  SCRAPE,
  METRICS,
  RETIRE,
  STOP;

  private static final FrameKind[] KINDS = values();

  /// @return empty for a number that a newer version may know
  static Optional<FrameKind> of(int number) {
    return number < KINDS.length ? Optional.of(KINDS[number]) : Optional.empty();
  }
}
