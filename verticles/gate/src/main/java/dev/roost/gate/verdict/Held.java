package dev.roost.gate.verdict;

import java.util.OptionalLong;

/// The server's memory at one moment.
///
/// @param open connections open then
/// @param bytes resident memory and swap of the process tree
/// @param sharedOutBytes the tree's PSS: a page that several processes share counts once in all
public record Held(int open, OptionalLong bytes, OptionalLong sharedOutBytes) {

  /// What each connection has cost since `before`, rounded up; empty if there are no more than then
  /// or one of the figures is missing. It is negative when the server gave more back.
  public OptionalLong bytesPerConnectionSince(Held before) {
    if (open <= before.open || bytes.isEmpty() || before.bytes.isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        Math.ceilDiv(bytes.getAsLong() - before.bytes.getAsLong(), open - before.open));
  }
}
