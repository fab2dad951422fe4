/// Request bodies: read whole or streamed, bounded, and what becomes of those nobody reads.
@NullMarked
package dev.roost.server.body;

import org.jspecify.annotations.NullMarked;
