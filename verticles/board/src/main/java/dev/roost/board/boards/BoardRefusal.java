package dev.roost.board.boards;

/// What the board says no to, expectedly. Cheap: no stack trace. Turned into a response in one
/// place, `ErrorPages`, where a new kind does not compile until it has a status.
public abstract sealed class BoardRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private BoardRefusal(String message) {
    super(message, null, false, false);
  }

  /// There is no such thing, or there is none any more.
  public static final class NotFound extends BoardRefusal {
    private static final long serialVersionUID = 1L;

    /// @param kind what was looked for, such as `post`
    public NotFound(String kind, String name) {
      super("no %s named %s".formatted(kind, name));
    }
  }

  /// A part of the request cannot be read.
  public static final class Malformed extends BoardRefusal {
    private static final long serialVersionUID = 1L;

    /// @param allowed what would have been right
    public Malformed(String key, String value, String allowed) {
      super("%s: %s is not %s".formatted(key, value, allowed));
    }
  }
}
