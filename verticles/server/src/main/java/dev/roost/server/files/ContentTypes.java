package dev.roost.server.files;

import io.vertx.core.http.MimeMapping;
import java.util.Map;
import java.util.Optional;

/// What a file is taken for by its name: what Vert.x knows, and the kinds it lacks. Text is UTF-8.
final class ContentTypes {

  private static final String UNKNOWN = "application/octet-stream";

  private static final Map<String, String> FURTHER =
      Map.of(
          "avif", "image/avif",
          "br", "application/x-brotli",
          "gz", "application/gzip",
          "jsonld", "application/ld+json",
          "map", "application/json",
          "md", "text/markdown",
          "webmanifest", "application/manifest+json",
          "zst", "application/zstd");

  private ContentTypes() {}

  static String of(String name) {
    var ending = name.substring(name.lastIndexOf('.') + 1);
    var type = Optional.ofNullable(MimeMapping.mimeTypeForExtension(ending));
    var known = type.orElse(FURTHER.getOrDefault(ending, UNKNOWN));
    return known.startsWith("text/") ? known + "; charset=utf-8" : known;
  }
}
