package dev.roost.server.files;

/// What to answer with a file.
sealed interface Decision {

  /// 200 with all of it.
  record Whole() implements Decision {}

  /// 206 with a part of it.
  ///
  /// @param first number of the first byte
  /// @param last number of the last byte, which is in the file
  record Part(long first, long last) implements Decision {

    long bytes() {
      return last - first + 1;
    }

    /// `Content-Range` in a file of so many bytes.
    String of(long fileBytes) {
      return "bytes %d-%d/%d".formatted(first, last, fileBytes);
    }
  }

  /// 304: the client has it.
  record NotModified() implements Decision {}

  /// 412: it is not what the client takes it for.
  record Changed() implements Decision {}

  /// 416: no such part.
  record Unsatisfiable() implements Decision {}
}
