package dev.roost.board.pages;

/// What an error page says.
///
/// @param status HTTP status
/// @param heading a few words
/// @param advice what the reader can do now
record Problem(int status, String heading, String advice) {

  /// The words for a status; they never blame.
  static Problem of(int status) {
    return switch (status) {
      case 400 ->
          new Problem(
              status,
              "That address has a slip in it",
              "Something in it could not be read. The link below leads back to the start.");
      case 404 ->
          new Problem(
              status,
              "Nothing roosts here",
              "The page may have moved, or the link has a typing slip. Everything there is can be"
                  + " found from the list of boards.");
      case 405 ->
          new Problem(
              status, "This page can only be read", "There is nothing here to send something to.");
      case 503 ->
          new Problem(
              status, "A short pause", "Too much is going on right now. Please try again soon.");
      default ->
          status < 500
              ? new Problem(status, "That could not be done", "The request was not understood.")
              : new Problem(
                  status,
                  "Something broke on our side",
                  "It is not your doing, and it has been written down. Please try again later.");
    };
  }
}
