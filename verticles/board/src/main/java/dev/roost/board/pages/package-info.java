/// What a browser gets: routes, pages, static files, headers. Alone here touches vertx-web.
@NullMarked
package dev.roost.board.pages;

import org.jspecify.annotations.NullMarked;
