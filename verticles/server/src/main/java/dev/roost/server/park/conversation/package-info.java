/// What the protocols of HTTP know of a connection that may be parked: whether it is idle, and what
/// both peers must find again when it is not.
@NullMarked
package dev.roost.server.park.conversation;

import org.jspecify.annotations.NullMarked;
