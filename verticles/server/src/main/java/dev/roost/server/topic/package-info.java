/// Publish once, fan out to sockets, streams and polls on every loop.
@NullMarked
package dev.roost.server.topic;

import org.jspecify.annotations.NullMarked;
