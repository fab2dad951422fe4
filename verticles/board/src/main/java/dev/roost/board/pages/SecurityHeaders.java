package dev.roost.board.pages;

import io.vertx.ext.web.RoutingContext;

/// What a browser is told not to do with a page, whatever the page says. Every answer has it, those
/// to upgrades and errors included.
final class SecurityHeaders {
  /// No script runs at all; styles and pictures come from this site; nobody frames it.
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'; require-trusted-types-for 'script'";

  private SecurityHeaders() {}

  static void add(RoutingContext ctx) {
    ctx.response()
        .putHeader("content-security-policy", POLICY)
        .putHeader("x-content-type-options", "nosniff")
        .putHeader("referrer-policy", "same-origin")
        .putHeader("cross-origin-opener-policy", "same-origin");
    ctx.next();
  }
}
