/// The command line: options in, one JSON line and an exit code out.
@NullMarked
package dev.roost.gate.cli;

import org.jspecify.annotations.NullMarked;
