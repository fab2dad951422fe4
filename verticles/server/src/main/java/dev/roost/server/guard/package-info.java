/// Netty handlers of ours around the HTTP/1.1 decoder: what reaches Vert.x, when, and in what
/// portions.
@NullMarked
package dev.roost.server.guard;

import org.jspecify.annotations.NullMarked;
