package dev.roost.server.files;

import java.util.List;
import java.util.Optional;

/// The part of a request's path that names a file: decoded, and free of everything that could lead
/// out of the folder or to something hidden.
///
/// @param segments names from the folder down; none is the folder itself
/// @param folder whether the path ends in a slash, and so names a folder
record FilePath(List<String> segments, boolean folder) {

  FilePath {
    segments = List.copyOf(segments);
  }

  /// Empty where a segment is empty or starts with a dot (which `.` and `..` do), or has a
  /// character that separates paths elsewhere or ends them: a backslash, a NUL.
  ///
  /// @param rest what follows the route's own path, percent-decoded once, without a leading slash
  static Optional<FilePath> of(String rest) {
    if (rest.isEmpty()) {
      return Optional.of(new FilePath(List.of(), true));
    }
    if (rest.indexOf('\\') >= 0 || rest.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    var folder = rest.endsWith("/");
    var segments = List.of((folder ? rest.substring(0, rest.length() - 1) : rest).split("/", -1));
    return segments.stream().anyMatch(FilePath::isRefused)
        ? Optional.empty()
        : Optional.of(new FilePath(segments, folder));
  }

  private static boolean isRefused(String segment) {
    return segment.isEmpty() || segment.startsWith(".");
  }
}
