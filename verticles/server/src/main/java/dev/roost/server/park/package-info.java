/// Connections that are idle, in a few bytes each: the socket stays open in one epoll set, beside
/// the TLS library's own state, and everything else is let go until its peer says something.
@NullMarked
package dev.roost.server.park;

import org.jspecify.annotations.NullMarked;
