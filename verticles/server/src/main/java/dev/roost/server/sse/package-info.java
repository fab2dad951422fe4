/// Server-sent events (WHATWG HTML, section 9.2).
@NullMarked
package dev.roost.server.sse;

import org.jspecify.annotations.NullMarked;
