/// What this machine is, and whether it can carry a run at all.
@NullMarked
package dev.roost.gate.machine;

import org.jspecify.annotations.NullMarked;
