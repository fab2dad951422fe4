/// What keeps one slow client from harming the others: continuations, deferred answers, outboxes.
@NullMarked
package dev.roost.server.flow;

import org.jspecify.annotations.NullMarked;
