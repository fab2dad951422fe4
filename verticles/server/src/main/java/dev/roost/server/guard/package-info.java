/// What stands before, between and behind the protocol decoders, as Netty handlers.
@NullMarked
package dev.roost.server.guard;

import org.jspecify.annotations.NullMarked;
