package dev.roost.board.pages;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// Sends what was rendered, or 304 to who has it already.
final class Answers {
  private static final String HTML = "text/html; charset=utf-8";

  private Answers() {}

  /// Sends a page that may be kept, and asked for again each time.
  static void page(RoutingContext ctx, Buffer html) {
    var response = ctx.response();
    var tag = "W/\"" + digest(html) + '"';
    response.putHeader("cache-control", "no-cache").putHeader("etag", tag);
    if (matches(ctx, tag)) {
      end(ctx, 304, Buffer.buffer());
    } else {
      response.putHeader("content-type", HTML);
      end(ctx, 200, html);
    }
  }

  /// Sends an error page, which nobody keeps.
  static void problem(RoutingContext ctx, int status, Buffer html) {
    ctx.response().putHeader("cache-control", "no-store").putHeader("content-type", HTML);
    end(ctx, status, html);
  }

  /// Sends a static file.
  ///
  /// @param fresh whether the address names the content that the file has now
  static void file(RoutingContext ctx, StaticFiles.StaticFile file, boolean fresh) {
    var tag = "W/\"" + file.digest() + '"';
    ctx.response()
        .putHeader("cache-control", fresh ? "public, max-age=31536000, immutable" : "no-cache")
        .putHeader("etag", tag)
        .putHeader("vary", "accept-encoding");
    if (matches(ctx, tag)) {
      end(ctx, 304, Buffer.buffer());
      return;
    }
    ctx.response().putHeader("content-type", file.type());
    var gzip = String.valueOf(ctx.request().getHeader("accept-encoding")).contains("gzip");
    if (gzip) {
      ctx.response().putHeader("content-encoding", "gzip");
    }
    end(ctx, 200, gzip ? file.gzipped() : file.plain());
  }

  private static boolean matches(RoutingContext ctx, String tag) {
    var known = ctx.request().getHeader("if-none-match");
    return known != null && (known.equals("*") || known.contains(tag.substring(2)));
  }

  private static void end(RoutingContext ctx, int status, Buffer body) {
    var response = ctx.response().setStatusCode(status);
    if (status == 304) {
      response.end();
    } else if (ctx.request().method().equals(HttpMethod.HEAD)) {
      response.putHeader("content-length", String.valueOf(body.length())).end();
    } else {
      response.end(body);
    }
  }

  private static String digest(Buffer body) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256").digest(body.getBytes());
      return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256).substring(0, 22);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has SHA-256", impossible);
    }
  }
}
