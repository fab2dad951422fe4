package dev.roost.server.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/// One file as it is to be sent. Immutable.
///
/// @param path the real one, without symbolic links
/// @param type `Content-Type`
/// @param encoding how it is compressed
/// @param varies whether another representation lies beside it
/// @param bytes its size
/// @param modified when it changed last
record Representation(
    Path path,
    String type,
    Optional<Encoding> encoding,
    boolean varies,
    long bytes,
    Instant modified) {

  /// RFC 9110, 5.6.7.
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  static Representation of(Path path, String type, BasicFileAttributes attributes) {
    return new Representation(
        path,
        type,
        Optional.empty(),
        false,
        attributes.size(),
        attributes.lastModifiedTime().toInstant());
  }

  /// The same content, compressed, if it is not older than the file it was made of.
  Optional<Representation> compressed(Representation by, Encoding how) {
    return by.modified.isBefore(modified)
        ? Optional.empty()
        : Optional.of(
            new Representation(by.path, type, Optional.of(how), true, by.bytes, by.modified));
  }

  /// The same, one of several.
  Representation varying() {
    return new Representation(path, type, encoding, true, bytes, modified);
  }

  /// Whether the file has not changed since it was looked up. Blocks.
  boolean isCurrent() throws IOException {
    return Files.size(path) == bytes
        && Files.getLastModifiedTime(path).toInstant().equals(modified);
  }

  /// Strong: it changes with every byte, as far as the file system tells the time.
  String tag() {
    var nanos = modified.getEpochSecond() * 1_000_000_000 + modified.getNano();
    return "\"%x-%x%s\""
        .formatted(nanos, bytes, encoding.map(how -> "-" + how.coding()).orElse(""));
  }

  /// `Last-Modified`.
  String date() {
    return HTTP_DATE.format(modified);
  }

  /// When it changed last, as far as HTTP tells the time.
  Instant modifiedSecond() {
    return modified.truncatedTo(ChronoUnit.SECONDS);
  }
}
