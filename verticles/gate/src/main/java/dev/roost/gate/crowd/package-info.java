/// A crowd of several client processes: each has open files, ports and, if it is given one, a
/// network namespace of its own. They are told what to do over their standard input.
@NullMarked
package dev.roost.gate.crowd;

import org.jspecify.annotations.NullMarked;
