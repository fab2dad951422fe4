package dev.roost.board.pages;

import dev.roost.board.boards.BoardRefusal;
import io.vertx.ext.web.RoutingContext;

/// The `page` parameter of an address.
final class PageNumber {
  private static final int PAGES_MAX = 1_000_000;

  private PageNumber() {}

  /// @return 1 if the address says nothing
  /// @throws BoardRefusal.Malformed if it says something else than one number from 1 on
  static int of(RoutingContext ctx) {
    var named = ctx.queryParam("page");
    if (named.isEmpty()) {
      return 1;
    }
    var text = named.getFirst();
    if (named.size() == 1 && text.matches("[1-9][0-9]{0,6}")) {
      var number = Integer.parseInt(text);
      if (number <= PAGES_MAX) {
        return number;
      }
    }
    throw new BoardRefusal.Malformed("page", text, "a number in 1..%d".formatted(PAGES_MAX));
  }
}
