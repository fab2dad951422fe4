package dev.roost.server.topic;

/// One message of a topic. Immutable.
///
/// @param id opaque; one line
/// @param text as it was published
public record TopicMessage(String id, String text) {

  /// What stands around the text in memory: two strings, the record, its place in the ring.
  private static final int OVERHEAD_BYTES = 128;

  /// What it takes in memory at most, in bytes.
  long bytes() {
    return OVERHEAD_BYTES + 2L * text.length();
  }
}
