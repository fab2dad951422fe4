/// Posts: read from Markdown files, rendered once, stored, listed.
@NullMarked
package dev.roost.board.posts;

import org.jspecify.annotations.NullMarked;
