/// Tests that start `scripts/vertx` as a process of its own. They run after packaging.
@NullMarked
package dev.roost.launcher.process;

import org.jspecify.annotations.NullMarked;
