/// The event loops as a whole: how many connections they take, and whether they turn.
@NullMarked
package dev.roost.server.reactor;

import org.jspecify.annotations.NullMarked;
