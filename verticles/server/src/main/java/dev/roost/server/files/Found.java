package dev.roost.server.files;

/// What a path means in a folder.
sealed interface Found {

  /// A file.
  record File(Representation representation) implements Found {}

  /// A folder whose name lacks the slash that the links in its index need.
  record Folder() implements Found {}

  /// A file that this process may not read.
  record Forbidden() implements Found {}

  /// Nothing that is served.
  record Nothing() implements Found {}
}
