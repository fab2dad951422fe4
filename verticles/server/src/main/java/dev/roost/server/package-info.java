/// The server as a whole: [Roost] starts it and stops it.
@NullMarked
package dev.roost.server;

import org.jspecify.annotations.NullMarked;
