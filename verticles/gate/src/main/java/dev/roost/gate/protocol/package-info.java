/// What the client says and expects on one connection, in HTTP/1.1 and in HTTP/2, made by hand: it
/// shares no line with the server it measures.
@NullMarked
package dev.roost.gate.protocol;

import org.jspecify.annotations.NullMarked;
