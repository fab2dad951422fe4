/// The board and blog: [Board] opens it, its route set serves it.
@NullMarked
package dev.roost.board;

import org.jspecify.annotations.NullMarked;
