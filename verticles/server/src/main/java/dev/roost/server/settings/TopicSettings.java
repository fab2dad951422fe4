package dev.roost.server.settings;

/// Keys `topic.*`. A character counts as two bytes, as most that memory holds of it.
///
/// @param historyMessagesMax messages a topic remembers, 1..1,048,576; older ones are a gap
/// @param historyBytesMax bytes a topic remembers, 64 KiB..1 GiB; the oldest go first, the newest
///   message always stays
/// @param messageBytesMax largest message, 1 KiB..64 MiB; beyond it publishing is refused with 413
public record TopicSettings(int historyMessagesMax, long historyBytesMax, int messageBytesMax) {
  public TopicSettings {
    Require.between("topic.history", historyMessagesMax, 1, 1 << 20);
    Require.between("topic.history-size", historyBytesMax, 64 << 10, 1L << 30);
    Require.between("topic.message-size", messageBytesMax, 1 << 10, 64 << 20);
  }

  /// So many messages, with the built-in sizes.
  public static TopicSettings remembering(int historyMessagesMax) {
    return new TopicSettings(historyMessagesMax, 4L << 20, 256 << 10);
  }
}
