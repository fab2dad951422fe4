/// Reads from /proc what a server and its children hold resident.
@NullMarked
package dev.roost.gate.memory;

import org.jspecify.annotations.NullMarked;
