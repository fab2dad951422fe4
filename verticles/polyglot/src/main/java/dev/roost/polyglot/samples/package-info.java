/// Verticles to read, run and copy from.
@NullMarked
package dev.roost.polyglot.samples;

import org.jspecify.annotations.NullMarked;
