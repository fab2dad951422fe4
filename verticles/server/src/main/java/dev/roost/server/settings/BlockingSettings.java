package dev.roost.server.settings;

/// Keys `blocking.*`.
///
/// @param handlersMax blocking handlers that may run at once in this process, 1..1,048,576; beyond
///   it 503
/// @param inboxMessagesMax messages one blocking socket holds unread, 1..65,536; beyond it the
///   client is slowed down
public record BlockingSettings(int handlersMax, int inboxMessagesMax) {
  public BlockingSettings {
    Require.between("blocking.handlers", handlersMax, 1, 1 << 20);
    Require.between("blocking.inbox", inboxMessagesMax, 1, 65_536);
  }
}
