/// WebSockets: asynchronous on the event loop, blocking on a virtual thread each.
@NullMarked
package dev.roost.server.websocket;

import org.jspecify.annotations.NullMarked;
