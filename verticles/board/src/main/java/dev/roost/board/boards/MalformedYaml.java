package dev.roost.board.boards;

/// A YAML text says something that is not allowed. The message is one line: file, line, key, what
/// is allowed.
public final class MalformedYaml extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String message;

  /// @param line of the file, from 1
  public MalformedYaml(String file, int line, String message) {
    super(null, null, false, false);
    this.message = "%s:%d: %s".formatted(file, line, message);
  }

  @Override
  public String getMessage() {
    return message;
  }
}
