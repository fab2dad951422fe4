package dev.roost.server.body;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.OptionalLong;

/// The length of a body, where its request announces one.
final class ContentLength {

  private ContentLength() {}

  /// In bytes; one that is no number, which does not come so far, is larger than all bounds.
  static OptionalLong of(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(length));
    } catch (NumberFormatException _) {
      return OptionalLong.of(Long.MAX_VALUE);
    }
  }
}
