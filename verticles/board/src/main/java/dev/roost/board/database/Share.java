package dev.roost.board.database;

/// Which of the processes that use the one database file this is.
public enum Share {
  /// There is no other.
  ALONE,
  /// The one that migrates it and imports posts; the others open it later.
  FIRST,
  /// One that finds it as it should be.
  OTHER;

  /// Whether this process brings the file to what this version needs.
  public boolean prepares() {
    return this != OTHER;
  }

  /// Whether somebody else may still use the file when this process lets go of it.
  boolean leavesOthers() {
    return this != ALONE;
  }
}
