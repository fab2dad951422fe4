package dev.roost.gate.verdict;

/// What happened on connections that had no request open, from their first answer to the end of the
/// run.
///
/// @param dropped connections the server closed
/// @param disturbed connections on which bytes came that nobody had asked for
public record IdleFigures(int dropped, int disturbed) {

  /// The sum of both.
  public IdleFigures and(IdleFigures other) {
    return new IdleFigures(dropped + other.dropped, disturbed + other.disturbed);
  }
}
