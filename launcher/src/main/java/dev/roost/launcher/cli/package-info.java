/// The `vertx` command: what a person types, what they read, and the exit code.
@NullMarked
package dev.roost.launcher.cli;

import org.jspecify.annotations.NullMarked;
