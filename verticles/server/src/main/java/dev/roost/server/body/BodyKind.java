package dev.roost.server.body;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// What a body is, by its `Content-Type`.
sealed interface BodyKind {

  /// Methods whose forms Vert.x decodes.
  Set<String> WITH_FORMS = Set.of("POST", "PUT", "PATCH", "DELETE");

  /// RFC 2046, section 5.1.1.
  Pattern BOUNDARY =
      Pattern.compile(";\\s*boundary=(?:\"([^\"]+)\"|([^\";,\\s]+))", Pattern.CASE_INSENSITIVE);

  /// Nothing that is looked into.
  record Bytes() implements BodyKind {}

  /// `application/x-www-form-urlencoded`.
  record Fields() implements BodyKind {}

  /// `multipart/form-data`.
  ///
  /// @param boundary between its parts
  record Parts(String boundary) implements BodyKind {}

  /// `multipart/form-data` that does not say what stands between its parts.
  record NoBoundary() implements BodyKind {}

  static BodyKind of(HttpServerRequest request) {
    var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !WITH_FORMS.contains(request.method().name())) {
      return new Bytes();
    }
    var name = type.strip().toLowerCase(Locale.ROOT);
    if (name.startsWith("multipart/form-data")) {
      var boundary = BOUNDARY.matcher(type);
      return boundary.find() && isUnderstood(type)
          ? new Parts(boundary.group(boundary.group(1) == null ? 2 : 1))
          : new NoBoundary();
    }
    return name.startsWith("application/x-www-form-urlencoded") ? new Fields() : new Bytes();
  }

  /// Netty's decoder, which takes for fields what it does not take for parts, has an opinion.
  private static boolean isUnderstood(String type) {
    var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    try {
      return HttpPostRequestDecoder.isMultipart(head);
    } catch (DecoderException | IndexOutOfBoundsException _) {
      return false;
    }
  }
}
