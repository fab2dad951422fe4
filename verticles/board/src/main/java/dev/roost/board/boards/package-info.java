/// Boards, the site they belong to, and the words every feature shares: slugs and refusals.
@NullMarked
package dev.roost.board.boards;

import org.jspecify.annotations.NullMarked;
