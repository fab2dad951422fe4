/// Signals, and the way out.
@NullMarked
package dev.roost.launcher.shutdown;

import org.jspecify.annotations.NullMarked;
