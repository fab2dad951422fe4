/// What stands between the sockets and the handlers: Netty handlers of ours, and nothing that knows
/// a route.
@NullMarked
package dev.roost.server.guard;

import org.jspecify.annotations.NullMarked;
